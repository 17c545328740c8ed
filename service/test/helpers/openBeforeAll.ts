import { afterAll, beforeAll } from 'vitest'

/**
 * Opens a resource before the tests of the calling file or `describe`, and closes it after them. Returns an
 * object with the members of the resource, which tests and hooks can read.
 */
export const openBeforeAll = <resource extends { close(): unknown }>(
  open: () => Promise<resource>,
): resource => {
  let opened: resource | undefined
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(async () => {
    await opened?.close()
  })
  const readOpened = (): resource => {
    if (!opened) throw new Error('The resource is not open yet. Read it in a test or in a later hook.')
    return opened
  }
  return new Proxy({} as resource, {
    get: (_, member) => Reflect.get(readOpened(), member),
    set: (_, member, value) => Reflect.set(readOpened(), member, value),
    has: (_, member) => Reflect.has(readOpened(), member),
    ownKeys: () => Reflect.ownKeys(readOpened()),
    getOwnPropertyDescriptor: (_, member) => {
      const descriptor = Reflect.getOwnPropertyDescriptor(readOpened(), member)
      return descriptor && { ...descriptor, configurable: true }
    },
  })
}
