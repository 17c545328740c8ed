import { expect, test } from 'vitest'
import { version } from 'wagmi'
import { readSource } from '../helpers/sources.js'

test('behavior: the wagmi under the library is the lowest that it may be installed with', () => {
  const { peerDependencies } = JSON.parse(readSource('package.json'))
  expect(version).toMatch(/^2\.\d+\.0$/)
  expect(peerDependencies.wagmi).toBe(`>=${version.replace(/\.0$/, '')} <4`)
})
