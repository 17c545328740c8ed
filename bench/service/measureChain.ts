import { setTimeout as sleep } from 'node:timers/promises'
import { encodeFunctionData, getAddress, type Hex, keccak256, stringToHex, zeroHash } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { Collection721 } from '../../service/src/adapters/chains/evm/artifacts/Collection721.js'
import { openPglite } from '../../service/src/adapters/postgres/openPglite.js'
import { createTestChain } from '../../service/test/helpers/createTestChain.js'
import type { Mints } from './openMinter.js'

const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const uri = 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'

const toMint = (tokenId: bigint) => ({
  to: getAddress(to),
  tokenId,
  uri,
  mintId: keccak256(stringToHex(`bench:${tokenId}`)),
  template: zeroHash,
  templateLimit: 0n,
  expiresAt: 0n,
})

/**
 * The floor: what a node takes of one key whose owner counts the nonces, has signed everything before, and asks for
 * nothing but to have it mined.
 */
export const openChain = async () => {
  const operatorKey = generatePrivateKey()
  const database = await openPglite(undefined)
  const world = await createTestChain('base-sepolia', { database, operatorKey })
  const { contractAddress: address } = await world.createCollection()
  const account = privateKeyToAccount(operatorKey)
  const { client } = world
  let tokenId = 1n

  const sign = async (count: number, perTransaction: number): Promise<Hex[]> => {
    const [nonce, fees] = await Promise.all([
      client.getTransactionCount({ address: account.address }),
      client.estimateFeesPerGas(),
    ])
    const signed: Hex[] = []
    for (let index = 0; index * perTransaction < count; index++) {
      const mints = Array.from({ length: perTransaction }, () => toMint(tokenId++))
      const data = encodeFunctionData({ ...Collection721, functionName: 'mint', args: [mints] })
      signed.push(
        await account.signTransaction({
          type: 'eip1559',
          chainId: world.chain.chainId,
          nonce: nonce + index,
          to: address,
          data,
          gas: 200_000n + 200_000n * BigInt(perTransaction),
          maxFeePerGas: fees.maxFeePerGas * 4n,
          maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
        }),
      )
    }
    return signed
  }

  return {
    mint: async (count: number, perTransaction: number, isWaiting: boolean): Promise<Mints> => {
      const signed = await sign(count, perTransaction)
      const readSupply = () => client.readContract({ address, ...Collection721, functionName: 'totalSupply' })
      const supply = await readSupply()
      const eachMs: number[] = []
      const startedAt = performance.now()
      for (const serializedTransaction of signed) {
        const sentAt = performance.now()
        const hash = await client.sendRawTransaction({ serializedTransaction })
        if (!isWaiting) continue
        while (!(await client.getTransactionReceipt({ hash }).catch(() => undefined))) await sleep(1)
        eachMs.push(performance.now() - sentAt)
      }
      while ((await readSupply()) < supply + BigInt(count)) await sleep(5)
      return { count, totalMs: performance.now() - startedAt, eachMs, transactions: signed.length }
    },
    close: async () => {
      await world.close()
      await database.close()
    },
  }
}
