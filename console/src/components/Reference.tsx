import { useSession } from '../api/session.js'
import { shorten } from '../lib/format.js'
import { t } from '../messages/index.js'
import { CopyButton } from './CopyButton.js'
import { Icon } from './Icon.js'

type ReferenceProps = {
  /** A hash or an address. */
  value: string
  /** Names it for screen readers. */
  what: string
  chain?: string | undefined
  /** Links a transaction to its page in the chain's explorer. */
  isTransaction?: boolean
}

/** Renders a hash or an address, shortened, with a button that copies all of it. */
export const Reference = ({ value, what, chain, isTransaction = false }: ReferenceProps) => {
  const { explorers } = useSession()
  const explorer = isTransaction && chain ? explorers[chain] : undefined
  const text = <span className="mono">{shorten(value)}</span>
  return (
    <span className="copyable">
      {explorer ? (
        <a href={`${explorer}/tx/${value}`} target="_blank" rel="noreferrer" className="copyable">
          {text}
          <Icon name="outside" />
          <span className="hidden">{t.order.opensTab}</span>
        </a>
      ) : (
        text
      )}
      <CopyButton text={value} what={what} />
    </span>
  )
}
