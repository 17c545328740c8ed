import { contractMutants } from './lib/contractMutants.mjs'
import { lockMutants } from './lib/lockMutants.mjs'
import { formatOutcomes, runMutants } from './lib/mutants.mjs'
import { run, say } from './lib/steps.mjs'
import { areas, mutateArea } from './lib/stryker.mjs'

const ours = { contracts: contractMutants, locks: lockMutants }

/** Breaks the code in one place after another and sees whether a test notices; `npm run mutate -- orders` names areas. */
await run(async () => {
  const given = process.argv.slice(2)
  const all = [...Object.keys(ours), ...Object.keys(areas)]
  const unknown = given.find((name) => !all.includes(name))
  if (unknown !== undefined) throw new Error(`There is no area ${unknown}; there are ${all.join(', ')}.`)
  let hasSurvivors = false
  for (const name of given.length > 0 ? given : all) {
    say(`\n## ${name}\n`)
    const make = Object.entries(ours).find(([known]) => known === name)?.[1]
    if (!make) {
      hasSurvivors = !(await mutateArea(name)) || hasSurvivors
      continue
    }
    const outcomes = await runMutants(make(), say)
    say(`\n${formatOutcomes(outcomes)}`)
    hasSurvivors ||= outcomes.some(({ result }) => result === 'survived')
  }
  return hasSurvivors ? 1 : 0
})
