import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertCollection } from '../service/src/goods/collections/insertCollection.js'
import { findProject } from '../service/src/identity/projects/projects.js'
import { createFakeChain } from '../service/test/helpers/createFakeChain.js'
import { createTestService, type TestService } from '../service/test/helpers/createTestService.js'
import { runIn } from '../service/test/helpers/runCommand.js'
import { readOperatorCommands } from './helpers/operatorCommands.js'
import { listSources } from './helpers/sources.js'

/** The service that does what is typed; what one command has made is there for the next. */
let service: TestService
afterAll(() => service?.close())

const run = (...args: string[]) => runIn({ env: {}, service: service.deps }, args)

const documents = ['README.md', 'service/README.md', ...listSources('docs', /^[\w-]+\.md$/)]
const typed = documents.flatMap((file) => readOperatorCommands(file).map((args) => ({ file, args })))

/** An endpoint of a webhook, for commands that name one. */
let id: string
beforeAll(async () => {
  const chain = createFakeChain({ now: Date.now })
  service = await createTestService({ chains: [chain.port] })
  for (const project of ['sandbox', 'shop']) await run('projects', 'create', project)
  const projectId = (await findProject(service.deps.db, 'shop')) ?? ''
  await service.deps.db.transaction((tx) =>
    insertCollection(
      tx,
      {
        projectId,
        id: 'prints',
        chain: 'base-sepolia',
        name: 'Prints',
        description: 'A print',
        imageUrl: 'ipfs://print',
        symbol: 'PRINT',
        payments: { price: '0.01', currency: 'eth' },
      },
      service.deps.now(),
    ),
  )
  const endpoint = ['--project', 'shop', '--url', 'https://shop.example/own', '--types', 'all', '--json']
  id = JSON.parse((await run('webhooks', 'create', ...endpoint)).out).id
})

test('default: every kind that the documents tell is among them', () => {
  const groups = new Set(typed.map(({ args }) => args[0]))
  expect([...groups].sort()).toEqual([
    'console',
    'contracts',
    'help',
    'keys',
    'links',
    'master-key',
    'webhooks',
  ])
})

test.each(typed.map(({ file, args }) => [args.join(' '), file] as const))(
  'behavior: %s does what %s says it does',
  async (words) => {
    const { status, out, err } = await run(...words.split(' ').map((word) => (word === '<id>' ? id : word)))
    expect({ status, err: status === 0 ? '' : err }).toEqual({ status: 0, err: '' })
    expect(out + err).not.toBe('')
  },
)
