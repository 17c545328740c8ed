import { expect, test } from 'vitest'
import { type Scope, scopes } from '#base/scopes.js'
import { createKey } from '#identity/keys/apiKeys.js'
import { routes } from '#interface/routes/index.js'
import type { Route } from '#interface/routes/route.js'
import { createShop } from './helpers/createShop.js'
import { openBeforeAll } from './helpers/openBeforeAll.js'

/** The scopes that the table of operations names for a route. Any one of several is enough. */
const scopesOf = ({ auth }: Route): readonly Scope[] => [auth.scope].flat()

const shop = openBeforeAll(createShop)

/**
 * Requests an unknown object, with a key of some scopes; `body` is what an operation needs to get further.
 */
const ask = async ({ method, path }: Route, keyScopes: readonly Scope[], body: unknown = {}) => {
  const { deps, projectId } = shop
  const { environment } = deps.config
  const shared = { environment, projectId, kind: 'server' as const, origins: [] }
  const key = await createKey(deps, { ...shared, scopes: keyScopes })
  const response = await shop.send(method.toUpperCase(), `/api${path.replaceAll(/\{\w+\}/g, 'nothing')}`, {
    key,
    ...(method !== 'get' && { body }),
  })
  return { status: response.status, text: await response.text() }
}

test.each(routes.map((route) => [route.operationId, route] as const))(
  'error: forbidden: %s, with every scope but its own',
  async (_, route) => {
    const own = scopesOf(route)
    const others = scopes.filter((scope) => !own.includes(scope))
    const { status, text } = await ask(route, others)
    expect(status, text).toBe(403)
    expect(text).toContain(`lacks the scope ${own.join(' or ')}"`)
  },
)

test.each(routes.map((route) => [route.operationId, route] as const))(
  'behavior: %s is open to a key with its scope and no other',
  async (_, route) => {
    for (const scope of scopesOf(route)) {
      const { status, text } = await ask(route, [scope])
      expect([200, 201, 400, 404], text).toContain(status)
    }
  },
)

test('error: forbidden: a wallet for a user, without the scope for users', async () => {
  const [route] = routes.filter(({ operationId }) => operationId === 'createWallet')
  if (!route) throw new Error('no route creates wallets')
  const body = { type: 'evm-smart-wallet', linkedUser: 'userId:ada' }
  const others = scopes.filter((scope) => scope !== 'users.create')
  const refused = await ask(route, others, body)
  expect(refused.status, refused.text).toBe(403)
  expect(refused.text).toContain('lacks the scope users.create"')
  expect(await ask(route, ['wallets.create', 'users.create'], body)).toMatchObject({ status: 201 })
})
