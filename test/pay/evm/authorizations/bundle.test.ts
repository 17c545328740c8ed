import { expect, test } from 'vitest'
import { listBundled } from '../../../helpers/listBundled.js'

/** What only a payment that the shop sends needs. */
const isOfAuthorizations = (file: string): boolean =>
  /authorization/i.test(file) && !file.startsWith('src/schema/orderMembers')

test('behavior: a page downloads what signs payments for the shop to send only for such an order', async () => {
  const { atOnce, later } = await listBundled("export * from 'kassa'")
  expect(later).toContain('src/pay/evm/openEvm.ts')
  expect(atOnce.filter(isOfAuthorizations)).toEqual([])
  expect(later.filter(isOfAuthorizations).sort()).toEqual([
    'src/api/authorizations.ts',
    'src/chain/evm/checkAuthorization.ts',
    'src/engine/evm/authorization.ts',
    'src/engine/evm/readAuthorization.ts',
    'src/pay/evm/authorizations/followAuthorization.ts',
    'src/pay/evm/authorizations/openAuthorizations.ts',
    'src/pay/evm/authorizations/postAuthorization.ts',
    'src/pay/evm/authorizations/simulateAuthorization.ts',
    'src/schema/authorizationReaders.ts',
  ])
})

test('behavior: a page that pays by a transaction does not', async () => {
  const { atOnce } = await listBundled("export * from './src/pay/createPayment.js'")
  expect(atOnce).toContain('src/pay/payOrder.ts')
  // What calls the service is passed on to what signs.
  expect(atOnce.filter(isOfAuthorizations).sort()).toEqual([
    'src/api/authorizations.ts',
    'src/schema/authorizationReaders.ts',
  ])
})
