import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { listSources, readImports, readSource, root } from '../helpers/sources.js'

const out = join(root, 'dist')
const isClient = (source: string): boolean =>
  /^(\s|\/\/.*|\/\*[\s\S]*?\*\/)*'use client'|^"use client"/.test(source)
const builtFrom = (file: string): string => join(out, file.replace(/^src\//, '').replace(/\.tsx?$/, '.js'))

type Conditions = { types: string; default: string }

const locales = listSources('src/locales', /^[a-z]{2}-[A-Z]{2}\.ts$/).map((file) => basename(file, '.ts'))

/** The module entries of the package, with each language as a separate one. */
const entries = (): Record<string, Conditions> => {
  const found: Record<string, Conditions | string> = JSON.parse(readSource('package.json')).exports
  return Object.fromEntries(
    Object.entries(found).flatMap(([entry, conditions]): [string, Conditions][] => {
      if (typeof conditions === 'string' || entry.endsWith('.css')) return []
      if (!entry.includes('*')) return [[entry, conditions]]
      const { types, default: main } = conditions
      return locales.map((locale) => [
        entry.replace('*', locale),
        { types: types.replace('*', locale), default: main.replace('*', locale) },
      ])
    }),
  )
}

/** Every file and package that a built file reaches, itself included. */
const reach = (file: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const specifier of readImports(readFileSync(file, 'utf8')))
    if (specifier.startsWith('.')) reach(join(dirname(file), specifier), seen)
    else seen.add(specifier)
  return seen
}

test('default', () => {
  for (const { types, default: main } of Object.values(entries()))
    for (const file of [types, main]) expect(existsSync(join(out, relative('dist', file))), file).toBe(true)
})

test("behavior: 'use client' stays the first statement", () => {
  const clients = listSources('src', /\.tsx?$/).filter((file) => isClient(readSource(file)))
  expect(clients.length).toBeGreaterThan(5)
  for (const file of clients) expect(isClient(readFileSync(builtFrom(file), 'utf8')), file).toBe(true)
})

test('behavior: a server component may render `Checkout.Panel`, because only the parts are client modules', () => {
  for (const file of ['index.js', 'components/checkout/index.js', 'components/checkout/index.parts.js'])
    expect(isClient(readFileSync(join(out, file), 'utf8')), file).toBe(false)
  const parts = readImports(readFileSync(join(out, 'components/checkout/index.parts.js'), 'utf8'))
  expect(parts.length).toBeGreaterThan(30)
  for (const part of parts)
    expect(isClient(readFileSync(join(out, 'components/checkout', part), 'utf8')), part).toBe(true)
})

test("behavior: whatever uses React's state or wagmi's is a client module", () => {
  const stateful = ['react', 'wagmi', '@tanstack/react-query']
  const modules = [...listSources('src/hooks', /\.ts$/), ...listSources('src/components', /\.tsx?$/)]
  for (const file of modules)
    if (readImports(readFileSync(builtFrom(file), 'utf8')).some((name) => stateful.includes(name)))
      expect(isClient(readSource(file)), file).toBe(true)
})

test('behavior: no entry reaches a built-in module of Node', () => {
  for (const [entry, { default: main }] of Object.entries(entries())) {
    const reached = [...reach(join(out, relative('dist', main)))]
    expect(reached.length, entry).toBeGreaterThan(entry.startsWith('./locales/') ? 0 : 3)
    const builtIn = reached.filter((name) => name.startsWith('node:') || builtinModules.includes(name))
    expect(builtIn, entry).toEqual([])
  }
})

test('behavior: the entries below the hooks reach no React', () => {
  for (const entry of ['./schema', './api']) {
    const main = entries()[entry]?.default ?? ''
    expect(
      [...reach(join(out, relative('dist', main)))].filter((name) => /react|wagmi|viem/.test(name)),
    ).toEqual([])
  }
})

test('behavior: kassa/chain reaches no React and no wagmi', () => {
  const main = entries()['./chain']?.default ?? ''
  const packages = [...reach(join(out, relative('dist', main)))].filter((name) => !existsSync(name))
  expect(packages.sort()).toEqual(['viem'])
})

test('behavior: the build holds no path of the machine that made it', () => {
  for (const file of reach(join(out, 'index.js')))
    if (existsSync(file)) expect(readFileSync(file, 'utf8').includes(root), file).toBe(false)
})
