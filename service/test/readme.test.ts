import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Environment } from '../src/config/environment.js'
import { createMetrics } from '../src/metrics/createMetrics.js'

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')

/** The settings in the table, each with its default. */
const readTable = async (): Promise<Record<string, string>> => {
  const [, section = ''] = (await read('README.md')).split('\n## Settings\n')
  const [table = ''] = section.split('\n## ')
  const rows = [...table.matchAll(/^\| `(\w+(?:<CHAIN>)?)` +\|.*\| +(?:`(.*)` +)?\|$/gm)]
  return Object.fromEntries(rows.map(([, name = '', value = '']) => [name, value]))
}

const write = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return value === undefined ? '' : String(value)
}

test('behavior: the table of settings has every one that is read, with its default, and no other', async () => {
  const defaults: Record<string, unknown> = z.parse(Environment, {})
  const own = Object.keys(Environment.shape).map((name) => [name, write(defaults[name])])
  const ofChains = (await read('src/config/readChains.ts')).matchAll(/`(KASSA_\w+_)\$\{suffix\}`/g)
  const ofSandbox = (await read('src/sandbox/readSandboxKeys.ts')).matchAll(/(?:env\.|read\(')(KASSA_\w+)/g)
  const others = [
    ...[...ofChains].map(([, name]) => `${name}<CHAIN>`),
    ...[...ofSandbox].map(([, name = '']) => name),
  ].map((name) => [name, ''])
  expect(others.length).toBeGreaterThan(5)
  expect(await readTable()).toEqual(Object.fromEntries([...own, ...others]))
})

test('behavior: README names every metric of the service, and no other', async () => {
  const told = (await createMetrics('').registry.getMetricsAsJSON()).map(({ name }) => name)
  const named = (await read('README.md')).matchAll(/\bkassa_[a-z_]+/g)
  const bare = [...named].map(([name]) => name.replace(/_(bucket|sum|count)$/, ''))
  expect([...new Set(bare)].sort()).toEqual(told.filter((name) => name.startsWith('kassa_')).sort())
})
