import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, encodeFunctionData, getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { TestToken } from '../../service/src/adapters/chains/evm/artifacts/TestToken.js'
import { createTestChain } from '../../service/test/helpers/createTestChain.js'
import type { Sent } from './openWallet.js'

/** The floor: what a node takes of one account that counts its nonces and has signed everything before. */
export const measureChain = async (count: number, to: Address): Promise<Sent> => {
  const world = await createTestChain('base-sepolia')
  try {
    const { client, chain } = world
    const account = privateKeyToAccount(generatePrivateKey())
    await client.setBalance({ address: account.address, value: 10n ** 20n })
    const token = getAddress(chain.currencies.find(({ currency }) => currency === 'usdc')?.address ?? '')
    const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas()
    const data = encodeFunctionData({ ...TestToken, functionName: 'mint', args: [to, 1n] })
    const fees = { maxFeePerGas: maxFeePerGas * 4n, maxPriorityFeePerGas }
    const shared = {
      type: 'eip1559',
      chainId: chain.chainId,
      to: token,
      data,
      gas: 100_000n,
      ...fees,
    } as const
    const signed: Hex[] = []
    for (let nonce = 0; nonce < count; nonce++)
      signed.push(await account.signTransaction({ ...shared, nonce }))

    const startedAt = performance.now()
    for (const serializedTransaction of signed) await client.sendRawTransaction({ serializedTransaction })
    while ((await world.tokensOf(to, 'usdc')) < BigInt(count)) await sleep(5)
    return { count, totalMs: performance.now() - startedAt, eachMs: [], landedIn: count }
  } finally {
    await world.close()
  }
}
