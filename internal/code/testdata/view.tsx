import React from 'react'

type Props = {
  title: string
  onClick?: () => void
}

export const Button: React.FC<Props> = ({ title, onClick }) => {
  return <button onClick={onClick}>Don't {title}</button>
}

export const Memo = React.memo(function Memo({ title }: Props) {
  const [open, setOpen] = React.useState(false)
  return (
    <div className="a{" onClick={() => setOpen(!open)}>
      {open ? <b>{title}</b> : null}
    </div>
  )
})

export function List({ items }: { items: string[] }) {
  return (
    <ul>
      {items.map((i) => (
        <li key={i}>{i}</li>
      ))}
    </ul>
  )
}

export default class Page extends React.Component<Props> {
  state = { a: 1 }

  render() {
    return <List items={[`}`]} />
  }
}

function useThing() {
  React.useEffect(() => {
    return () => {}
  }, [])
}

export const Context = React.createContext<Props | null>(null)

const styles = {
  row: { color: 'red' },
}

async function* stream() {
  yield 1
}
