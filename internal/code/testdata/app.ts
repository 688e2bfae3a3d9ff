import { x } from './x'

/** Identifies a thing. */
export type Id = string | number
type Shape =
  | { kind: 'circle'; r: number }
  | { kind: 'square'; side: number }

export interface Repo<T> extends Base {
  find(id: Id): Promise<T>;
  onChange?: (x: T) => void
}

export enum Color {
  Red = 'r{',
  Green = "g}",
}

@Injectable({
  providedIn: 'root',
})
export abstract class Service<T extends { id: Id }> implements Repo<T> {
  private cache = new Map<string, { at: number }>();
  static readonly pattern = /[{/]"/g

  constructor(private readonly http: Http) {
    super()
  }

  // finds one
  async find(id: Id): Promise<{ value: T; at: number }> {
    const key = `k:${id ? `${id}}` : '{'}`
    return this.http.get(key)
  }

  handle = async (e: Event) => {
    if (e) { return }
  }

  get size(): number { return 1 }

  @Input()
  set size(n: number) {
    this.n = n
  }

  abstract run(x: number): void
}

export const load = async <T,>(id: Id): Promise<T> => {
  return fetch(`/x/${id}`)
}

const short = (n: number): { a: number } =>
  wrap({
    a: n,
  })

export default function <T>(list: T[]) {
  return list.map(x => { return x })
}

namespace Inner {
  export function deep(): void {
    // it's fine
  }
}

export const api = {
  get(id: Id) {
    return id
  },
  put: (id: Id) => {
    return id
  },
}

function overloaded(a: string): string
function overloaded(a: number): number
function overloaded(a: any) {
  return a
}
