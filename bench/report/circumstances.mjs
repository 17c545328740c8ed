import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { findBrowser } from '../../scripts/browser.mjs'
import { root } from '../../scripts/lib/paths.mjs'

const packages = ['react', '@tanstack/react-query', 'wagmi', 'viem', 'zod', 'esbuild', 'webpack', 'rolldown']

/** @param {string} name */
const versionOf = (name) =>
  JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version

const readBrowserVersion = async () => {
  const browser = await chromium.launch(findBrowser())
  try {
    return browser.version()
  } finally {
    await browser.close()
  }
}

/** On what, with what and when the benches run, in one sentence. */
export const describeCircumstances = async () => {
  const cores = cpus()
  const machine = `${cores.length} cores (${cores[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB`
  const versions = packages.map((name) => `${name} ${versionOf(name)}`)
  return `${new Date().toISOString().slice(0, 10)}, ${[
    machine,
    // Other work on the machine changes every time below.
    `load ${loadavg()[0]?.toFixed(1)} at the start`,
    `Node ${process.versions.node}`,
    `Chromium ${await readBrowserVersion()}`,
    ...versions,
  ].join(', ')}.`
}
