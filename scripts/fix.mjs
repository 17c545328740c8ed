import { runTool } from './lib/build.mjs'
import { writeReaders } from './lib/readers.mjs'
import { run, step } from './lib/steps.mjs'

/** Tests that write what they compare, when they are told to update it. */
const written = [
  'test/exports.test.ts',
  'test/regularExpressions.test.ts',
  'service/test/base/db/migrations.test.ts',
]

/** Brings up to date what a program can: readers, snapshots, tables and pictures of documents, the format. */
await run(async () => {
  await step('readers', writeReaders)
  await step('documents', () => runTool('vitest/vitest.mjs', ['run', '--project', 'generated', '-u']))
  await step('snapshots', () =>
    runTool('vitest/vitest.mjs', ['run', '--project', 'unit', '--project', 'service', ...written, '-u']),
  )
  await step('format', () => runTool('@biomejs/biome/bin/biome', ['check', '--write', '.']))
})
