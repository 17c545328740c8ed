import { expect, test } from 'vitest'
import { readSource } from './helpers/sources.js'

type Targets = Record<string, { '@kassa/source'?: string }>

const targets: Targets = JSON.parse(readSource('package.json')).exports
const entries = Object.keys(targets).map((entry) => entry.replace('.', 'kassa'))
/** A language has one name, and a stylesheet has none. */
const modules = entries.filter((entry) => !/\*|\.(css|json)$/.test(entry))

/** Names that exist at run time when an entry of the package is imported. */
const namesOf = async (entry: string): Promise<string[]> => Object.keys(await import(entry)).sort()

test('default: the entries of the package, and the names that each exports', async () => {
  const lists = await Promise.all(
    entries.map(async (entry) => {
      const names = modules.includes(entry) ? await namesOf(entry) : []
      return [entry, ...names.map((name) => `  ${name}`)].join('\n')
    }),
  )
  await expect(`${lists.join('\n\n')}\n`).toMatchFileSnapshot('./exports.txt')
})

test('behavior: an app chooses from fewer than 300 names', async () => {
  // The engine is for the service. The parts are the members of `Checkout` once more.
  const repeated = ['kassa/engine', 'kassa/panel', 'kassa/parts']
  const names = await Promise.all(modules.filter((entry) => !repeated.includes(entry)).map(namesOf))
  expect(names.length).toBeGreaterThan(9)
  expect(names.flat().length).toBeLessThan(300)
})

test('behavior: `kassa/parts` and `kassa/panel` have the members of `Checkout`, each under its full name', async () => {
  const { Checkout } = await import('kassa')
  const members = Object.keys(Checkout).map((name) => `Checkout${name}`)
  expect([...(await namesOf('kassa/parts')), ...(await namesOf('kassa/panel'))].sort()).toEqual(
    members.sort(),
  )
})
