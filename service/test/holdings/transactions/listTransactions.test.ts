import { TransactionList } from 'kassa/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import {
  createTransactionWorld,
  type TransactionWorld,
  walletsPath,
} from '../../helpers/createTransactionWorld.js'

let world: TransactionWorld
beforeAll(async () => {
  world = await createTransactionWorld()
})
afterAll(() => world.close())

test('default: newest first, ten to a page', async () => {
  const wallet = await world.createWallet()
  const list = async (query = '') => {
    const { transactions } = z.parse(TransactionList, await world.ask(200, 'GET', `${wallet.path}${query}`))
    return transactions.map(({ id }) => id)
  }
  expect(await world.ask(200, 'GET', wallet.path)).toEqual({ transactions: [] })
  const ids: string[] = []
  for (let count = 0; count < 12; count++) ids.unshift((await wallet.create()).id)
  expect(await list()).toEqual(ids.slice(0, 10))
  expect(await list('?page=2')).toEqual(ids.slice(10))
  expect(await list('?page=1&perPage=100')).toEqual(ids)
  expect(await list('?perPage=5&page=2')).toEqual(ids.slice(5, 10))
  expect(await list('?page=3')).toEqual([])
  expect(await list(`?page=${'9'.repeat(40)}&perPage=100`)).toEqual([])
})

test('parameters: page, perPage: digits, the first from 1 to 9', async () => {
  const { path } = await world.createWallet()
  for (const value of ['0', '01', '-1', '1.5', '', 'x', '1e3', '%201', '+1', '１']) {
    for (const name of ['page', 'perPage']) {
      const answer = await world.ask(400, 'GET', `${path}?${name}=${value}`)
      expect(answer).toEqual({
        error: true,
        message: expect.stringMatching(new RegExp(`^${name}: expected a whole number`)),
      })
    }
  }
  await world.ask(400, 'GET', `${path}?perPage=101`)
})

test('error: not-found: a wallet that does not exist', async () => {
  const answer = await world.ask(
    404,
    'GET',
    `${walletsPath}/email:nobody@example.com:evm-smart-wallet/transactions`,
  )
  expect(answer).toMatchObject({ error: true, message: expect.stringContaining('not found') })
})
