import { parseArgs } from 'node:util'
import { plantedBugs } from './lib/plantedBugs.mjs'
import {
  bundleSimulation,
  purchasesPerWorld,
  replayWorld,
  simulatePurchases,
} from './lib/simulatePurchases.mjs'
import { run, say } from './lib/steps.mjs'
import { runVitest } from './lib/vitest.mjs'

/** @typedef {import('./lib/plantedBugs.mjs').PlantedBug} PlantedBug */

const usage = `npm run simulate 5000                       buyers at real pages, the real service and real chains
npm run simulate -- --purchases 1000000     the real service on a simulated database, chain and network
  --seed N       other purchases (1)
  --jobs N       threads (2)
  --world N      one world alone, with all that happens in it
  --plant NAME   with a bug in the code
  --plants       how many purchases find each of the bugs`

/**
 * @param {string | undefined} given
 * @param {string} name
 */
const readCount = (given, name) => {
  if (given === undefined || !/^[1-9]\d*$/.test(given))
    throw new Error(`Expected a number for ${name}.\n\n${usage}`)
  return Number(given)
}

/** @param {number} purchases */
const simulateOnChains = async (purchases) => {
  process.env.PURCHASES = String(purchases)
  const { files, errors } = await runVitest('simulation', ['simulation'])
  const failed = errors.length + files.filter(({ failures }) => failures.length > 0).length
  say(failed === 0 ? `\n${purchases} purchases without a fault` : '\nA purchase went wrong.')
  return failed === 0 ? 0 : 1
}

/**
 * Prints why a world fails, the fewest faults that lead there, and the command that runs it alone.
 * @param {{ bundle: string, seed: string, world: number, bug: PlantedBug | undefined }} options
 */
const explainWorld = async ({ bundle, seed, world, bug }) => {
  const replay = await replayWorld({ bundle, seed, world })
  if (!replay) {
    say(`Nothing is wrong in world ${world} of seed ${seed}.`)
    return 0
  }
  say(`\n${replay.violation}\n\nIt takes these ${replay.faults.length} choices:`)
  for (const fault of replay.faults) say(`  ${fault}`)
  say('\nWhat happens:')
  for (const line of replay.trace) say(`  ${line}`)
  const planted = bug ? ` --plant ${bug.name}` : ''
  say(`\nIt alone: npm run simulate -- --seed ${seed} --world ${world}${planted}`)
  return 1
}

/** Prints how many purchases it takes to find each planted bug. */
const findPlantedBugs = async (/** @type {{ seed: string, worlds: number, jobs: number }} */ options) => {
  let missed = 0
  say('| planted bug | the code | found after | as |\n| --- | --- | ---: | --- |')
  for (const bug of plantedBugs) {
    const { violation } = await simulatePurchases({ ...options, bundle: await bundleSimulation(bug) })
    if (!violation) missed += 1
    const found = violation ? `${violation.world * purchasesPerWorld} purchases` : 'not found'
    const as =
      violation?.text
        .split('\n')[0]
        ?.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
        .slice(0, 110) ?? ''
    say(`| \`${bug.name}\` | ${bug.says} | ${found} | ${as} |`)
  }
  return missed === 0 ? 0 : 1
}

/**
 * @param {{ seed: string, worlds: number, jobs: number, bug: PlantedBug | undefined, bundle: string }} options
 */
const simulate = async ({ bug, ...options }) => {
  const startedAt = performance.now()
  let reportedAt = startedAt
  const outcome = await simulatePurchases({
    ...options,
    onProgress: (worlds) => {
      if (performance.now() - reportedAt < 10_000) return
      reportedAt = performance.now()
      say(`${worlds * purchasesPerWorld} purchases, ${Math.round((reportedAt - startedAt) / 1000)} s`)
    },
  })
  const seconds = (performance.now() - startedAt) / 1000
  const purchases = outcome.worlds * purchasesPerWorld
  for (const name of Object.keys(outcome.tally).sort())
    say(`${String(outcome.tally[name]).padStart(9)}  ${name}`)
  say(
    `\n${purchases} purchases in ${outcome.worlds} worlds of seed ${options.seed}, in ${seconds.toFixed(0)} s: ` +
      `${Math.round(purchases / seconds)} a second, at most ${Math.round(outcome.heapBytes / 2 ** 20)} MiB of objects`,
  )
  if (!outcome.violation) {
    const isBought = outcome.tally['order ends: completed'] !== undefined
    say(isBought ? 'Nothing went wrong.' : 'Nothing was bought, so this shows nothing.')
    return isBought ? 0 : 1
  }
  say(`\nWorld ${outcome.violation.world} fails: ${outcome.violation.text}`)
  await explainWorld({ ...options, world: outcome.violation.world, bug })
  return 1
}

/** Simulates purchases by buyers who reload, click again and open tabs, and finds what never may happen. */
await run(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      purchases: { type: 'string' },
      seed: { type: 'string', default: '1' },
      jobs: { type: 'string', default: '2' },
      world: { type: 'string' },
      plant: { type: 'string' },
      plants: { type: 'boolean', default: false },
    },
  })
  const { seed, purchases, plant, plants } = values
  const jobs = readCount(values.jobs, '--jobs')
  if (plants) {
    const worlds = Math.ceil(readCount(purchases ?? '200000', '--purchases') / purchasesPerWorld)
    return findPlantedBugs({ seed, worlds, jobs })
  }
  const bug = plantedBugs.find(({ name }) => name === plant)
  if (plant !== undefined && !bug) {
    throw new Error(
      `There is no planted bug ${plant}; there are ${plantedBugs.map(({ name }) => name).join(', ')}.`,
    )
  }
  if (values.world !== undefined) {
    const world = readCount(values.world, '--world')
    return explainWorld({ bundle: await bundleSimulation(bug), seed, world, bug })
  }
  if (purchases === undefined && !plant)
    return simulateOnChains(readCount(positionals[0] ?? '1000', 'purchases'))
  const worlds = Math.ceil(readCount(purchases ?? '200000', '--purchases') / purchasesPerWorld)
  return simulate({ bundle: await bundleSimulation(bug), seed, worlds, jobs, bug })
})
