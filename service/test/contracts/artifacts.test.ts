import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { artifacts, compileContracts } from '../../../scripts/contracts.mjs'

test('default: the committed artifacts are what the sources compile to', () => {
  for (const [file, text] of Object.entries(compileContracts())) {
    expect(
      readFileSync(join(artifacts, file), 'utf8') === text,
      `${file}: run node scripts/contracts.mjs`,
    ).toBe(true)
  }
})
