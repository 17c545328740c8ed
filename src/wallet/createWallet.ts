import { mutationOptions } from '@tanstack/react-query'
import { type AnyKassaError, type Client, createWallet } from '../api/index.js'
import { makeKey } from '../query/makeKey.js'
import type { CreateWalletInput, Wallet } from '../schema/index.js'
import { askHandler } from './askHandler.js'
import { walletKey } from './keys.js'

/**
 * Options of the mutation that creates a wallet. Through the shop's own handler it is the signed-in user's, whatever
 * the body says of whom it is linked to.
 */
export const createWalletMutationOptions = (client: Client) => {
  // One key per call of `mutate`, kept over its retries.
  const keys = new WeakMap<CreateWalletInput, string>()
  return mutationOptions<Wallet, AnyKassaError, CreateWalletInput>({
    mutationKey: ['kassa', 'createWallet'],
    onMutate: (body) => void keys.set(body, makeKey()),
    mutationFn: (body) => askHandler(client, createWallet(client, { body, idempotencyKey: keys.get(body) })),
    onSuccess: (wallet, _body, _result, context) =>
      context.client.setQueryData(
        walletKey('wallet', client, { walletLocator: `me:${wallet.type}` }),
        wallet,
      ),
  })
}
