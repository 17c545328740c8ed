import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writeHttp } from '../docs/reference/writeHttp.mjs'
import { build, runScript, runTool } from './lib/build.mjs'
import { endSignal } from './lib/endSignal.mjs'
import { findDeadAnchors } from './lib/findDeadAnchors.mjs'
import { root, stateDir } from './lib/paths.mjs'
import { run, say, step } from './lib/steps.mjs'

const reference = join(root, 'docs/api')
const output = join(stateDir, 'docs')

/** The OpenAPI document of the service that was just built. */
const readDocument = async () => {
  const load = (/** @type {string} */ path) => import(pathToFileURL(join(root, 'service/dist', path)).href)
  const [{ createDocument }, { routes }] = await Promise.all([
    load('interface/openapi/createDocument.js'),
    load('interface/routes/index.js'),
  ])
  return createDocument(routes, 'http://localhost:4000')
}

/** The page that lists the errors, each with the first sentence of its cause. */
const writeErrors = () => {
  const rows = readdirSync(join(root, 'errors'))
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const [, cause = ''] =
        /## Cause\s+([\s\S]*?\.)(?:\s|$)/.exec(readFileSync(join(root, 'errors', file), 'utf8')) ?? []
      const sentence = cause
        .replaceAll('\n', ' ')
        .replaceAll('|', '\\|')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      return `| [\`${file.slice(0, -'.md'.length)}\`](../../errors/${file}) | ${sentence} |`
    })
  return `# Errors\n\nEvery failure is a \`KassaError\` with one of these codes.\n\n| code | cause |\n| ---- | ----- |\n${rows.join('\n')}\n`
}

/** Builds the site of the documents, or with `--dev` serves it and follows changes. */
await run(async () => {
  const isDev = process.argv.includes('--dev')
  const signal = endSignal()
  await build(['library', 'service'], signal)
  await step('reference', async () => {
    await runScript('scripts/reference.mjs', [relative(root, reference)], { signal })
    writeFileSync(join(reference, 'http.md'), writeHttp(await readDocument()))
    writeFileSync(join(reference, 'errors.md'), writeErrors())
  })
  if (isDev) {
    // Loaded late: only this command serves the site.
    const { serveSite } = await import('../docs/site/site.mjs')
    return serveSite(signal)
  }
  await step('pages', () => runTool('vitepress/bin/vitepress.js', ['build', 'docs/site'], { signal }))
  await step('links', () => {
    const dead = findDeadAnchors(output)
    if (dead.length > 0) throw new Error(`Links lead to headings that are not there:\n${dead.join('\n')}`)
  })
  say(`\n  The site is in ${relative(root, output)}. To open it:  npx vitepress preview docs/site`)
})
