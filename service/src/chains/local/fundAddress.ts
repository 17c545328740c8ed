import { createTestClient, getAddress, http, parseAbi, parseEther, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { ChainCurrency } from '../../ports/currency.js'

const abi = parseAbi(['function mint(address to, uint256 amount)'])
const plenty = 1_000n
const plentyWei = parseEther(String(plenty))
const pollingInterval = 25

/**
 * Adds a thousand native coins and as many of each test token to an address on a local node. Each call uses a
 * fresh account, so that no two calls contend for a nonce.
 */
export const fundAddress = async (
  rpcUrl: string,
  currencies: readonly ChainCurrency[],
  text: string,
): Promise<void> => {
  const address = getAddress(text)
  const account = privateKeyToAccount(generatePrivateKey())
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl), account, pollingInterval })
    .extend(publicActions)
    .extend(walletActions)
  const heldWei = await client.getBalance({ address })
  await client.setBalance({ address, value: heldWei + plentyWei })
  await client.setBalance({ address: account.address, value: plentyWei })
  for (const { address: token, decimals } of currencies) {
    if (!token) continue
    const hash = await client.writeContract({
      chain: null,
      address: getAddress(token),
      abi,
      functionName: 'mint',
      args: [address, plenty * 10n ** BigInt(decimals)],
    })
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`the test token ${token} could not be minted`)
  }
}
