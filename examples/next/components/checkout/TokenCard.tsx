'use client'

import type { ReceiptToken } from 'kassa'
import { useState } from 'react'
import { type Address, erc721Abi, isAddress, isAddressEqual } from 'viem'
import { useConnection, useReadContract } from 'wagmi'
import { chainsByName, getChainLabel } from '../../lib/networks'
import { Copyable } from './Copyable'
import styles from './ReceiptView.module.css'
import { TokenPicture } from './TokenPicture'

/** Shows a delivered token and its owner according to the chain. */
export function TokenCard({ token }: { token: ReceiptToken }) {
  const { name, chain, contractAddress, tokenId, txId, recipient, mintHash } = token
  const owner = useOwner(token)
  const { address } = useConnection()
  const [isBroken, setBroken] = useState(false)
  return (
    <article className={styles.token}>
      <div className={styles.wall}>
        {token.imageUrl && !isBroken && (
          <TokenPicture url={token.imageUrl} name={name ?? ''} onError={() => setBroken(true)} />
        )}
      </div>
      <div className={styles.about}>
        <h2 className="heading">
          {name}
          {tokenId && <span className={styles.number}> No. {tokenId}</span>}
        </h2>
        <dl className={styles.facts}>
          {owner && (
            <div>
              <dt>Owner</dt>
              <dd>
                <Copyable value={owner} what="owner" />
                {address && isAddressEqual(owner, address) && <span className={styles.you}>You</span>}
              </dd>
            </div>
          )}
          {recipient && !isAddress(recipient) && (
            <div>
              <dt>Held for</dt>
              <dd>{recipient}</dd>
            </div>
          )}
          {tokenId && (
            <div>
              <dt>Token id</dt>
              <dd className="code">{tokenId}</dd>
            </div>
          )}
          {contractAddress && (
            <div>
              <dt>Contract</dt>
              <dd>
                <Copyable value={contractAddress} what="contract" />
              </dd>
            </div>
          )}
          {mintHash && (
            <div>
              <dt>Token</dt>
              <dd>
                <Copyable value={mintHash} what="token" />
              </dd>
            </div>
          )}
          {txId && (
            <div>
              <dt>Transaction</dt>
              <dd>
                <Copyable value={txId} what="transaction" />
              </dd>
            </div>
          )}
          {chain && (
            <div>
              <dt>Network</dt>
              <dd>{getChainLabel(chain)}</dd>
            </div>
          )}
        </dl>
      </div>
    </article>
  )
}

const useOwner = ({ chain, contractAddress, tokenId, recipient }: ReceiptToken): Address | undefined => {
  const isOnEvm = contractAddress !== undefined && isAddress(contractAddress) && tokenId !== undefined
  const chainId = chain === undefined ? undefined : chainsByName[chain]?.id
  const read = useReadContract({
    abi: erc721Abi,
    functionName: 'ownerOf',
    ...(isOnEvm && { address: contractAddress, args: [BigInt(tokenId)] as const }),
    ...(chainId !== undefined && { chainId }),
    query: { enabled: isOnEvm && chainId !== undefined },
  })
  // Until the chain answers, the order's recipient is shown.
  return read.data ?? (recipient && isAddress(recipient) ? recipient : undefined)
}
