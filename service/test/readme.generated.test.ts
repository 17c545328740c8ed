import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { Environment } from '#base/config/environment.js'
import { createMetrics } from '#entry/metrics/createMetrics.js'

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')

const writeTable = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('')

/** Replaces the first table after a place in a text. */
const replaceTable = (text: string, place: string, table: string): string => {
  const at = text.indexOf(place)
  if (at < 0) throw new Error(`README has no ${place}`)
  return text.slice(0, at) + text.slice(at).replace(/(?:^\|.*\|\n)+/m, () => table)
}

const writeDefault = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? '`1`' : '`0`'
  const text = value === undefined ? '' : String(value)
  return text === '' ? '' : `\`${text}\``
}

/** Settings that are read by other names than those of {@link Environment}: of each chain, and of a sandbox. */
const findOtherSettings = async (): Promise<string[]> => {
  const ofChains = (await read('src/base/config/readChains.ts')).matchAll(/`(KASSA_\w+_)\$\{suffix\}`/g)
  const ofSandbox = (await read('src/entry/sandbox/readSandboxKeys.ts')).matchAll(
    /(?:env\.|read\(')(KASSA_\w+)/g,
  )
  return [
    ...[...ofChains].map(([, name]) => `${name}<CHAIN>`),
    ...[...ofSandbox].map(([, name = '']) => name),
  ]
}

/** Writes the table of settings: those that are read, in the order and with the meanings that the README has. */
const writeSettings = async (readme: string): Promise<string> => {
  const [, section = ''] = readme.split('\n## Settings\n')
  const [old = ''] = section.split('\n## ')
  const meanings = new Map(
    [...old.matchAll(/^\| `(\w+(?:<CHAIN>)?)` +\| (.*?) +\|[^|]*\|$/gm)].map(
      ([, name = '', meaning = '']) => [name, meaning],
    ),
  )
  const defaults: Record<string, unknown> = z.parse(Environment, {})
  const names = [...Object.keys(Environment.shape), ...new Set(await findOtherSettings())]
  const known = [...meanings.keys()].filter((name) => names.includes(name))
  const added = names.filter((name) => !meanings.has(name))
  const rows = [...known, ...added].map((name) => {
    const meaning = meanings.get(name)
    if (!meaning)
      throw new Error(`service/README.md: write what ${name} means, in a row of the table of settings`)
    return [`\`${name}\``, meaning, writeDefault(defaults[name])]
  })
  return writeTable(['variable', 'meaning', 'default'], rows)
}

const writeMetrics = async (): Promise<string> => {
  const metrics = await createMetrics('').registry.getMetricsAsJSON()
  const rows = metrics
    .filter(({ name }) => name.startsWith('kassa_'))
    .map(({ name, help }) => [`\`${name}\``, help.replace(/\.$/, '')])
  return writeTable(['metric', 'is'], rows)
}

test('the tables of the README', async () => {
  const readme = await read('README.md')
  const withSettings = replaceTable(readme, '\n## Settings\n', await writeSettings(readme))
  await expect(replaceTable(withSettings, '\n| metric ', await writeMetrics())).toMatchFileSnapshot(
    '../README.md',
  )
})
