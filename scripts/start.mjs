import { relative } from 'node:path'
import { build } from './lib/build.mjs'
import { endSignal } from './lib/endSignal.mjs'
import { root, stateDir } from './lib/paths.mjs'
import { findRunning } from './lib/presence.mjs'
import { startStack } from './lib/stack.mjs'
import { run, say, seconds } from './lib/steps.mjs'

/** @param {import('./lib/stack.mjs').Stack} stack */
const introduce = ({ storefrontUrl, serviceUrl, sandbox }) =>
  [
    '',
    `  ${storefrontUrl}`,
    '',
    `  base URL     ${serviceUrl}/api`,
    `  server key   ${sandbox.serverKey}`,
    `  client key   ${sandbox.clientKey}`,
    `  data, logs   ${relative(root, stateDir)}/ (delete it to start from nothing)`,
    '',
  ].join('\n')

/** Starts the whole sandbox and runs it until it is asked to end, or one of its parts ends. */
await run(async () => {
  const startedAt = performance.now()
  const isDev = process.argv.includes('--dev')
  const signal = endSignal()
  const asked = new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
  if (await findRunning(stateDir))
    throw new Error('This clone is already started. End that one first (Ctrl-C).')
  try {
    await build(isDev ? ['library', 'service'] : undefined, signal)
    const stack = await startStack({ isDev, signal })
    say(introduce(stack))
    say(`  Up after ${seconds(performance.now() - startedAt)}. Ctrl-C ends it.`)
    const ended = await Promise.race([
      ...[stack.service, stack.storefront].map((child) => child.exited.then(() => child)),
      asked,
    ])
    await stack.stop()
    if (ended) throw new Error(ended.report())
  } catch (error) {
    if (!signal.aborted) throw error
  }
  say('\n  Everything has ended.')
})
