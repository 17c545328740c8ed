import { expect, test } from 'vitest'
import { type Role, roles } from '#base/scopes.js'
import { routes } from '#interface/routes/index.js'
import { createShop } from '../../helpers/createShop.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'
import { type Browser, openConsole } from '../../helpers/openConsole.js'

const names = routes.map(({ operationId }): string => operationId)
/** Its scopes are those that start an action. */
const reads = names.filter((name) => /^(export|get|list|stream)/.test(name) && name !== 'getAction')
const ofKeys = names.filter((name) => /ApiKeys?$/.test(name))
const viewed = reads.filter(
  (name) => name !== 'listAuditEntries' && !ofKeys.includes(name) && !/Webhook/.test(name),
)

/** The operations that each role may call. */
const allowed: Readonly<Record<Role, readonly string[]>> = {
  owner: names,
  operator: names.filter((name) => name !== 'listAuditEntries' && !ofKeys.includes(name)),
  support: [
    ...viewed,
    'cancelShipment',
    'createAuthorization',
    'createRefund',
    'createShipment',
    'editOrder',
    'refreshOrder',
    'reportPayment',
    'resendMail',
    'resendOrderWebhook',
  ],
  viewer: viewed,
}

const shop = openBeforeAll(async () => {
  const opened = await createShop()
  const browsers = new Map<Role, Browser>()
  for (const role of roles) browsers.set(role, await openConsole(opened, { role }))
  return { ...opened, browsers }
})

test.each(roles.flatMap((role) => routes.map((route) => [role, route.operationId, route] as const)))(
  'behavior: %s and %s',
  async (role, name, { method, path }) => {
    const response = await shop.browsers
      .get(role)
      ?.request(method.toUpperCase(), `/api${path.replaceAll(/\{\w+\}/g, 'nothing')}`, {
        ...(method !== 'get' && { body: {} }),
      })
    const text = (await response?.text()) ?? ''
    if (allowed[role].includes(name)) expect([200, 201, 400, 404], text).toContain(response?.status)
    else {
      expect(response?.status, text).toBe(403)
      expect(text).toContain(`The role ${role} lacks the scope `)
    }
  },
)
