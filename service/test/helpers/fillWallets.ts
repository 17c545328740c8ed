import { Transaction, Wallet } from 'kassa/schema'
import { type Hex, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod/mini'
import type { createFakeChain } from './createFakeChain.js'
import type { Shop } from './createShop.js'

const created = async (response: Response): Promise<unknown> => {
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  return response.json()
}

/**
 * Gives a project a wallet of each kind, with tokens and with transactions that await approval.
 *
 * @param parts - `name` is the user, and determines the owner's key.
 */
export const fillWallets = async (parts: {
  shop: Pick<Shop, 'send'>
  chain: ReturnType<typeof createFakeChain>
  key: string
  name: string
  /** The token's contract. */
  contract: string
  tokenId: string
  awaitingCount: number
}) => {
  const { shop, chain, key, name, contract, tokenId, awaitingCount } = parts
  const owner = privateKeyToAccount(toHex(name, { size: 32 }))
  const wallet = async (body: object) => {
    const response = await shop.send('POST', '/api/2022-06-09/wallets', { key, body })
    return z.parse(Wallet, await created(response))
  }
  const adminSigner = { type: 'evm-keypair', address: owner.address }
  const type = 'evm-smart-wallet'
  const owned = await wallet({ type, config: { adminSigner }, linkedUser: `userId:${name}` })
  const custodial = await wallet({ type, linkedUser: `email:${name}@example.com` })
  const mpc = await wallet({ type: 'evm-mpc-wallet', linkedUser: `x:${name}` })
  chain.wallets.mint({ contract, tokenId, to: custodial.address })

  const transact = async (locator: string, params: object) => {
    const path = `/api/2022-06-09/wallets/${locator}/transactions`
    const response = await shop.send('POST', path, {
      key,
      body: { params: { chain: 'base-sepolia', ...params } },
    })
    return z.parse(Transaction, await created(response))
  }
  const call = { to: owner.address, value: '0', data: '0x' }
  const awaiting: { id: string; approve(): Promise<{ signer: string; signature: string }> }[] = []
  for (let at = 0; at < awaitingCount; at++) {
    const { id, approvals } = await transact(owned.address, { calls: [call] })
    const [pending] = approvals?.pending ?? []
    if (!pending) throw new Error('no approval is pending')
    const raw: Hex = `0x${pending.message.slice(2)}`
    awaiting.push({
      id,
      approve: async () => ({
        signer: pending.signer,
        signature: await owner.signMessage({ message: { raw } }),
      }),
    })
  }
  const { id: pendingId } = await transact(mpc.address, { call: { to: owner.address, data: '0x' } })
  return { owner, owned, custodial, mpc, awaiting, pendingId }
}

export type FilledWallets = Awaited<ReturnType<typeof fillWallets>>
