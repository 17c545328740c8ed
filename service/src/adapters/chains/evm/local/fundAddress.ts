import { createTestClient, getAddress, http, parseAbi, parseEther, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { ChainCurrency } from '#base/ports/currency.js'

const abi = parseAbi(['function mint(address to, uint256 amount)'])
const gasWei = parseEther('1000')
const pollingInterval = 25

/**
 * Adds native coins and each test token to an address on a local node. Each call uses a fresh account, so that no two
 * calls contend for a nonce.
 */
export const fundAddress = async (
  rpcUrl: string,
  currencies: readonly ChainCurrency[],
  gift: {
    address: string
    /** How much of a currency to give. @units whole units */
    give(currency: string): bigint
  },
): Promise<void> => {
  const address = getAddress(gift.address)
  const account = privateKeyToAccount(generatePrivateKey())
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl), account, pollingInterval })
    .extend(publicActions)
    .extend(walletActions)
  const native = gift.give(currencies.find((known) => !known.address)?.currency ?? '')
  const heldWei = await client.getBalance({ address })
  await client.setBalance({ address, value: heldWei + parseEther(String(native)) })
  await client.setBalance({ address: account.address, value: gasWei })
  for (const { currency, address: token, decimals } of currencies) {
    if (!token) continue
    const hash = await client.writeContract({
      chain: null,
      address: getAddress(token),
      abi,
      functionName: 'mint',
      args: [address, gift.give(currency) * 10n ** BigInt(decimals)],
    })
    // Looking for a replacement, viem may miss the only block that the local node mines.
    const { status } = await client.waitForTransactionReceipt({ hash, checkReplacement: false })
    if (status !== 'success') throw new Error(`the test token ${token} could not be minted`)
  }
}
