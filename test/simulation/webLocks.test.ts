import { describe, expect, test } from 'vitest'
import { createBrowserLocks } from './webLocks.js'

const name = 'order'

/** Asks for the lock and keeps it until told. */
const hold = ({ locks }: ReturnType<ReturnType<typeof createBrowserLocks>>) => {
  let free = (): void => {}
  const until = new Promise<void>((resolve) => {
    free = resolve
  })
  let tellHeld = (): void => {}
  const held = new Promise<void>((resolve) => {
    tellHeld = resolve
  })
  const done = locks.request(name, async () => {
    tellHeld()
    await until
  })
  return { free, held, done }
}

const isAvailable = ({ locks }: ReturnType<ReturnType<typeof createBrowserLocks>>): Promise<boolean> =>
  locks.request(name, { ifAvailable: true }, (lock) => lock !== null)

describe('createBrowserLocks', () => {
  test('default', async () => {
    const openPage = createBrowserLocks()
    const [one, other] = [openPage(), openPage()]
    const first = hold(one)
    await first.held
    const second = hold(other)
    let isSecondHeld = false
    second.held.then(() => {
      isSecondHeld = true
    })
    expect(await isAvailable(one)).toBe(false)
    expect(isSecondHeld).toBe(false)
    first.free()
    await first.done
    await second.held
    expect(await isAvailable(one)).toBe(false)
    second.free()
    await second.done
    expect(await isAvailable(one)).toBe(true)
  })

  test('parameters: mode shared', async () => {
    const openPage = createBrowserLocks()
    const page = openPage()
    const first = hold(page)
    await first.held
    first.free()
    await first.done
    const both = await page.locks.request(name, { mode: 'shared' }, () =>
      page.locks.request(name, { mode: 'shared', ifAvailable: true }, (lock) => lock !== null),
    )
    expect(both).toBe(true)
  })

  test('behavior: a page that goes away frees what it held', async () => {
    const openPage = createBrowserLocks()
    const [one, other] = [openPage(), openPage()]
    const first = hold(one)
    await first.held
    one.leave()
    expect(await isAvailable(other)).toBe(true)
  })

  test('behavior: a callback that throws frees the lock', async () => {
    const page = createBrowserLocks()()
    const failing = page.locks.request(name, () => Promise.reject(new Error('no')))
    await expect(failing).rejects.toThrow('no')
    expect(await isAvailable(page)).toBe(true)
  })
})
