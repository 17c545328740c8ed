import { onTestFinished } from 'vitest'

const refuse = (): never => {
  throw new DOMException('Access is denied for this document.', 'SecurityError')
}

/** How browsers withhold storage: its getter throws, each use of it throws, or there is none. */
const prohibitions = {
  'a getter that throws': { configurable: true, get: refuse },
  'items that throw': {
    configurable: true,
    value: new Proxy({ getItem: refuse, setItem: refuse, removeItem: refuse }, { ownKeys: refuse }),
  },
  'no storage': { configurable: true, value: null },
} satisfies Record<string, PropertyDescriptor>

/** The ways in which {@link forbidStorage} withholds storage. */
export const prohibitionKinds = Object.keys(prohibitions) as (keyof typeof prohibitions)[]

/** Withholds every storage of the browser until the test has ended. */
export const forbidStorage = (kind: keyof typeof prohibitions): void => {
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB']) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name)
    Object.defineProperty(globalThis, name, prohibitions[kind])
    onTestFinished(() => {
      if (before) Object.defineProperty(globalThis, name, before)
      else Reflect.deleteProperty(globalThis, name)
    })
  }
}
