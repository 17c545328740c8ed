import { beforeAll, expect, test } from 'vitest'
import { readSource } from '../helpers/sources.js'
import { compile, manifest, manners, writeApp } from './consumer.js'

beforeAll(writeApp)

test.each(Object.keys(manners))('parameters: moduleResolution %s', (manner) => {
  expect(compile('typescript-5.9', manner)).toEqual([])
})

test('behavior: the oldest TypeScript claimed is the oldest tried', () => {
  const { version } = JSON.parse(readSource('node_modules/typescript-5.9/package.json'))
  expect(manifest.peerDependencies.typescript).toBe(`>=${version}`)
})
