import { act, cleanup, renderHook } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type UseOrderSessionParameters, useOrderSession } from '../../src/hooks/useOrderSession.js'

const session = { orderId: '4cb6f8a4-6a3c-4a5e-9c9a-6a8d3c2f1b0e', clientSecret: 'cs_secret' }

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const other = { ...session, clientSecret: 'cs_other' }

/** What another tab writes, or with undefined ends. */
const writeElsewhere = (written: typeof session | undefined): void => {
  const key = 'kassa.order'
  const oldValue = localStorage.getItem(key)
  const newValue = written ? JSON.stringify(written) : null
  if (newValue) localStorage.setItem(key, newValue)
  else localStorage.removeItem(key)
  act(() => void globalThis.dispatchEvent(new StorageEvent('storage', { key, oldValue, newValue })))
}

const open = (parameters?: UseOrderSessionParameters) =>
  renderHook((given: UseOrderSessionParameters | undefined) => useOrderSession(given), {
    reactStrictMode: true,
    initialProps: parameters,
  }).result

test('default: it survives a reload, and ends when it is ended', () => {
  const before = open()
  expect(before.current[0]).toBe(undefined)
  act(() => before.current[1](session))
  expect(before.current[0]).toEqual(session)
  cleanup()
  const after = open()
  expect(after.current[0]).toEqual(session)
  act(() => after.current[1](undefined))
  expect(after.current[0]).toBe(undefined)
  expect(sessionStorage.length).toBe(0)
})

describe.each(['session', 'local'] as const)('parameters: storage %s', (storage) => {
  test('behavior: it is kept there, and nowhere else', () => {
    const result = open({ storage })
    act(() => result.current[1](session))
    expect([sessionStorage.length, localStorage.length]).toEqual(storage === 'local' ? [0, 1] : [1, 0])
  })
})

test('parameters: key', () => {
  const one = open({ key: 'one' })
  const other = open({ key: 'other' })
  act(() => one.current[1](session))
  expect([one.current[0], other.current[0]]).toEqual([session, undefined])
})

test('behavior: everybody who shows it sees the same, and it stays the same object', () => {
  const one = open()
  const other = open()
  act(() => one.current[1](session))
  expect(other.current[0]).toEqual(session)
  const seen = one.current[0]
  const set = one.current[1]
  act(() => other.current[1](session))
  expect(one.current[0]).toBe(seen)
  expect(one.current[1]).toBe(set)
})

test('behavior: nothing but the order and its secret is kept', () => {
  const result = open()
  const more = { ...session, order: { email: 'ada@example.com' } }
  act(() => result.current[1](more))
  expect(sessionStorage.getItem('kassa.order')).not.toContain('ada')
})

test('behavior: another tab that begins or ends it is followed', () => {
  const result = open({ storage: 'local' })
  writeElsewhere(session)
  expect(result.current[0]).toEqual(session)
  writeElsewhere(undefined)
  expect(result.current[0]).toBe(undefined)
  writeElsewhere(other)
  expect(result.current[0]).toEqual(other)
})

test('behavior: a tab stays at its own order when another tab begins one, and ends one', () => {
  const result = open({ storage: 'local' })
  act(() => result.current[1](session))
  writeElsewhere(other)
  expect(result.current[0]).toEqual(session)
  const beside = open({ storage: 'local' })
  expect(beside.current[0]).toEqual(session)
  writeElsewhere(undefined)
  expect(result.current[0]).toEqual(session)
  act(() => beside.current[1](other))
  expect(result.current[0]).toEqual(other)
})

test('behavior: a tab that ends its own order leaves the one of another tab', () => {
  const result = open({ storage: 'local' })
  act(() => result.current[1](session))
  writeElsewhere(other)
  act(() => result.current[1](undefined))
  expect(result.current[0]).toBe(undefined)
  expect(JSON.parse(localStorage.getItem('kassa.order') ?? '')).toEqual(other)
  const next = { ...other, clientSecret: 'cs_next' }
  writeElsewhere(next)
  expect(result.current[0]).toEqual(next)
})

test('behavior: everything another tab clears has ended', () => {
  const result = open({ storage: 'local' })
  act(() => result.current[1](session))
  localStorage.clear()
  act(() => void globalThis.dispatchEvent(new StorageEvent('storage', { key: null })))
  expect(result.current[0]).toBe(undefined)
})

test('behavior: a storage that forgets nothing has a session end all the same', () => {
  const result = open()
  act(() => result.current[1](session))
  const refuse = vi.spyOn(Object.getPrototypeOf(sessionStorage), 'removeItem').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  act(() => result.current[1](undefined))
  expect(result.current[0]).toBe(undefined)
  refuse.mockRestore()
  act(() => result.current[1](undefined))
})

test.each(['', '{', 'null', '[]', '"x"', '{"orderId":1,"clientSecret":"x"}', '{"orderId":"x"}'])(
  'behavior: foreign content in storage (%s) is not a session',
  (value) => {
    sessionStorage.setItem('kassa.order', value)
    expect(open().current[0]).toBe(undefined)
  },
)

test('behavior: a storage that takes nothing has it last as long as the page', () => {
  const refuse = () => {
    throw new DOMException('the quota has been exceeded', 'QuotaExceededError')
  }
  vi.spyOn(Object.getPrototypeOf(sessionStorage), 'setItem').mockImplementation(refuse)
  const result = open()
  act(() => result.current[1](session))
  expect(result.current[0]).toEqual(session)
  act(() => result.current[1](undefined))
  expect(result.current[0]).toBe(undefined)
})

test('behavior: a forbidden storage causes no error', () => {
  const blocked = {
    configurable: true,
    get: () => {
      throw new DOMException('denied', 'SecurityError')
    },
  }
  const own = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage')
  Object.defineProperty(globalThis, 'sessionStorage', blocked)
  try {
    const result = open()
    expect(result.current[0]).toBe(undefined)
    act(() => result.current[1](session))
    expect(result.current[0]).toEqual(session)
    act(() => result.current[1](undefined))
    expect(result.current[0]).toBe(undefined)
  } finally {
    if (own) Object.defineProperty(globalThis, 'sessionStorage', own)
    else Reflect.deleteProperty(globalThis, 'sessionStorage')
  }
})

test('behavior: the server knows none, whatever is kept', () => {
  sessionStorage.setItem('kassa.order', JSON.stringify(session))
  const Page = () => <p>{useOrderSession()[0]?.orderId ?? 'none'}</p>
  expect(renderToString(<Page />)).toBe('<p>none</p>')
})
