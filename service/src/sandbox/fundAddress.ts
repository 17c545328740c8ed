import { createTestClient, getAddress, http, parseAbi, parseEther, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { ChainCurrency } from '../chains/port.js'

const abi = parseAbi(['function mint(address to, uint256 amount)'])
const oneCoin = parseEther('1')
const tokens = 1_000n
const pollingInterval = 25

/**
 * Adds one native coin and a thousand of each test token to what an address holds on a local node. A fresh account
 * does it each time, so that no two calls ever contend for a nonce.
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
  await client.setBalance({ address, value: heldWei + oneCoin })
  await client.setBalance({ address: account.address, value: oneCoin })
  for (const { address: token, decimals } of currencies) {
    if (!token) continue
    const hash = await client.writeContract({
      chain: null,
      address: getAddress(token),
      abi,
      functionName: 'mint',
      args: [address, tokens * 10n ** BigInt(decimals)],
    })
    const { status } = await client.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`the test token ${token} could not be minted`)
  }
}
