import { mutationOptions } from '@tanstack/react-query'
import { type AnyKassaError, type Client, createWallet } from '../api/index.js'
import { makeKey } from '../api/makeKey.js'
import type { CreateWalletInput, Wallet } from '../schema/index.js'
import { askHandler } from './askHandler.js'
import { walletKey } from './keys.js'

/**
 * Returns the options of the mutation that creates a wallet. Through the shop's own handler the wallet
 * belongs to the signed-in user, whatever owner the body names.
 */
export const createWalletMutationOptions = (client: Client) => {
  // One key per call of `mutate`, reused by its retries.
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
