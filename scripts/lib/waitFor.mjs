import { setTimeout as sleep } from 'node:timers/promises'

/**
 * @typedef {{
 *   signal?: AbortSignal | undefined, timeoutMs?: number,
 *   isFromChild?: (answer: Response) => Promise<boolean> | boolean,
 * }} WaitOptions `isFromChild` tells an answer of the child from one of another program on the same port
 */

/** How long a command waits while the program that it waits for is alive. A busy machine needs minutes. */
export const patienceMs = 600_000

/**
 * Waits until a URL answers with success, and gives up at once when the child behind it ends.
 * @param {string} url
 * @param {Pick<import('./child.mjs').Child, 'name' | 'exited' | 'hasExited' | 'report'>} child
 * @param {WaitOptions} [options]
 */
export const waitFor = async (
  url,
  child,
  { signal, timeoutMs = patienceMs, isFromChild = () => true } = {},
) => {
  const deadline = performance.now() + timeoutMs
  const ended = new AbortController()
  void child.exited.then(() => ended.abort())
  const givenUp = AbortSignal.any(signal ? [signal, ended.signal] : [ended.signal])
  let last = 'no answer'
  while (performance.now() < deadline) {
    signal?.throwIfAborted()
    if (child.hasExited()) throw new Error(child.report())
    try {
      const answer = await fetch(url, { signal: AbortSignal.any([givenUp, AbortSignal.timeout(30_000)]) })
      if (!answer.ok) last = `status ${answer.status}`
      else if (await isFromChild(answer)) return
      else last = 'another program answers'
    } catch (error) {
      last = error instanceof Error ? error.message : String(error)
    }
    await sleep(100)
  }
  throw new Error(`The ${child.name} was not ready after ${timeoutMs / 1000} s (${last}).`)
}
