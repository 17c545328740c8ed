import { relative } from 'node:path'
import { endSignal } from './lib/endSignal.mjs'
import { root, stateDir } from './lib/paths.mjs'
import { claim, findRunning } from './lib/presence.mjs'
import { openSandbox, urlsOf } from './lib/sandbox.mjs'
import { checkWritable, setUp } from './lib/setUp.mjs'
import { run, say, seconds } from './lib/steps.mjs'

/**
 * A link that opens the console as an owner, once. Without one, the console asks how to sign in.
 * @returns {Promise<string>}
 */
const linkToConsole = async () => {
  const { serviceUrl } = urlsOf(openSandbox(stateDir))
  try {
    // Loaded late: it stands on the packages.
    const { inviteToConsole } = await import('./lib/inviteToConsole.mjs')
    return await inviteToConsole(stateDir)
  } catch {
    return `${serviceUrl}/console`
  }
}

/**
 * Where the local Solana node listens, for programs that expect one.
 * @param {string} serviceUrl
 * @returns {Promise<string>} a line, or nothing while it is not up
 */
const describeSolana = async (serviceUrl) => {
  try {
    const answer = await fetch(`${serviceUrl}/sandbox/nodes/solana`, { signal: AbortSignal.timeout(30_000) })
    const { rpcUrl, wsUrl } = await answer.json()
    return rpcUrl ? `\n  Solana node  ${rpcUrl}, its WebSocket ${wsUrl}` : ''
  } catch {
    return ''
  }
}

/**
 * Says where everything is.
 * @param {string} consoleUrl
 */
const introduce = async (consoleUrl) => {
  const sandbox = openSandbox(stateDir)
  const { storefrontUrl, serviceUrl } = urlsOf(sandbox)
  const solana = await describeSolana(serviceUrl)
  say(`
  ${storefrontUrl}

  mailbox      ${storefrontUrl}/sandbox/mails, all e-mails that were sent
  orders       ${storefrontUrl}/orders, as the merchant sees them
  console      ${consoleUrl}
  API          ${serviceUrl}/docs, its reference
  Storybook    npm run storybook${solana}

  base URL     ${serviceUrl}/api
  server key   ${sandbox.serverKey}
  client key   ${sandbox.clientKey}
  data, logs   ${relative(root, stateDir)}/ (delete it to start from nothing)
`)
}

/** @param {string} url */
const isAnswering = (url) =>
  fetch(url, { signal: AbortSignal.timeout(10_000) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** Says where the stack is that another process of this clone runs. */
const sayIsStarted = async () => {
  const isUp = await isAnswering(urlsOf(openSandbox(stateDir)).storefrontUrl)
  say(
    isUp
      ? '\n  This clone is already started.'
      : '\n  This clone is already being started. Its storefront will be here:',
  )
  await introduce(isUp ? await linkToConsole() : `${urlsOf(openSandbox(stateDir)).serviceUrl}/console`)
}

/** @param {AbortSignal} signal */
const installAndStart = async (signal) => {
  await setUp(signal)
  // Loaded late: it stands on the packages.
  const { startStack } = await import('./lib/stack.mjs')
  const isDev = process.argv.includes('--dev')
  const stack = await startStack({ isDev, isBuilt: false, isClaimed: true, signal })
  await introduce(await linkToConsole())
  say(`  Up after ${seconds(process.uptime() * 1000)}. Press Ctrl-C to stop.`)
  const asked = new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
  const ended = await Promise.race([
    ...[stack.service, stack.storefront].map((child) => child.exited.then(() => child)),
    asked,
  ])
  await stack.stop()
  if (ended) throw new Error(ended.report())
}

/** Starts the whole sandbox and runs it until it is asked to end, or one of its parts ends. */
await run(async () => {
  checkWritable()
  if (await findRunning(stateDir)) return sayIsStarted()
  const signal = endSignal()
  const release = await claim(stateDir, () => urlsOf(openSandbox(stateDir)))
  try {
    await installAndStart(signal)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await release()
  }
  say('\n  Everything has ended.')
})
