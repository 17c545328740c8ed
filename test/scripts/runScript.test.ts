import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runScript } from '../../scripts/lib/build.mjs'
import { createReport } from '../../scripts/lib/steps.mjs'

const writeScript = (code: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'kassa-script-')), 'script.mjs')
  writeFileSync(path, code)
  return path
}

test('default: the seconds of a step count on while its script computes', async () => {
  const written: string[] = []
  const report = createReport({ isTTY: true, write: (text) => written.push(text) })
  const step = report.begin('pages')
  await runScript(writeScript('const end = Date.now() + 2500; while (Date.now() < end);'), [])
  report.end(step, '✓')
  expect(written.join('')).toContain('… pages 1 s')
  expect(written.join('')).toContain('… pages 2 s')
})

test('error: a script that fails is named with its output', async () => {
  const script = writeScript(`console.log('half way'); console.error('dead link'); process.exit(3)`)
  await expect(runScript(script, ['--all'])).rejects.toThrow(
    /script\.mjs --all ended with status 3:\n(half way\ndead link|dead link\nhalf way)\n$/,
  )
})
