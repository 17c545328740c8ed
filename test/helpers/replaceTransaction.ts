import type { Address, Hash, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Shop } from './createShop.js'

type Change = { to: Address; value: bigint; data: Hex }

/** Sends another transaction with the nonce of one that waits, at twice its fee, as a wallet's buttons do. */
export const replaceTransaction = async (
  { world: { client } }: Shop,
  account: PrivateKeyAccount,
  hash: Hash,
  change?: Change,
): Promise<Hash> => {
  const { chainId, nonce, to, value, input, gas, maxFeePerGas, maxPriorityFeePerGas } =
    await client.getTransaction({ hash })
  if (!to || !chainId || !maxFeePerGas || !maxPriorityFeePerGas) throw new Error('not a payment')
  const serializedTransaction = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    to,
    value,
    data: input,
    gas,
    maxFeePerGas: maxFeePerGas * 2n,
    maxPriorityFeePerGas: maxPriorityFeePerGas * 2n,
    ...change,
  })
  return client.sendRawTransaction({ serializedTransaction })
}

/** Takes a transaction's nonce for a transfer of nothing to oneself. */
export const cancelTransaction = (shop: Shop, account: PrivateKeyAccount, hash: Hash): Promise<Hash> =>
  replaceTransaction(shop, account, hash, { to: account.address, value: 0n, data: '0x' })
