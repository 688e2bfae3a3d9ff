'use strict'
// function no() {}
var Queue = module.exports = function Queue(size) {
  this.size = size
  this.re = /['"{]/.test(size) / 2
}

Queue.prototype.push = function (item) {
  // it's "open
  this.items.push(item)
}

exports.run = async (task) => {
  await task()
}

class Store extends Map {
  #secret = 1;
  static create() { return new Store() }
  *[Symbol.iterator]() { yield 1 }
  get value() {
    return this.#secret
  }
  async load({ a, b } = {}) {
    return { a, b }
  }
}

const Mixed = class extends Store {
  go() {
    return `a ${"}"} b`
  }
}

function plain(a, b = "}") {
  switch (a) {
    case '{': return function () {}
  }
}

const curry = a => b => {
  return a + b
}

;(function () {
  function hidden() {
    return 1
  }
})()

module.exports = {
  plain,
  save: function (x) {
    return x
  },
  async drop() {
    return 0
  },
}

describe('x', () => {
  it('y', () => {
    expect(1)
  })
})
