import { type ReactElement, useState } from 'react'
import type { Devtools } from '../createDevtools.js'
import { type ForcedStateName, forcedStates } from '../forcedStates.js'
import type { OrderRecord, SandboxRecord } from '../snapshot.js'

const phases = {
  quote: 'Quote',
  payment: 'Payment',
  delivery: 'Delivery',
  completed: 'Completed',
  inspection: 'Other',
}

type Props = {
  devtools: Devtools
  order: OrderRecord
  sandbox: SandboxRecord
  /** The account of the connected wallet. */
  getAccount(): string | undefined
}

const States = ({ devtools, order }: Pick<Props, 'devtools' | 'order'>) => {
  const names = Object.keys(forcedStates) as ForcedStateName[]
  return Object.entries(phases).map(([phase, title]) => (
    <section key={phase} className="section" aria-label={title}>
      <h3>{title}</h3>
      <ul className="states">
        {names
          .filter((name) => forcedStates[name].phase === phase)
          .map((name) => (
            <li key={name}>
              <button
                type="button"
                className="button mono"
                aria-pressed={order.forced === name}
                aria-disabled={!order.canBeForcedTo.includes(name)}
                onClick={() =>
                  order.forced === name
                    ? devtools.release(order.orderId)
                    : devtools.force(order.orderId, name)
                }
              >
                {name}
              </button>
            </li>
          ))}
      </ul>
    </section>
  ))
}

const Funds = ({ devtools, order, sandbox, getAccount }: Props) => {
  const [told, setTold] = useState('')
  const { chain } = order
  if (chain === undefined || !sandbox.chains.includes(chain)) return null
  const fund = async (): Promise<void> => {
    const address = getAccount() ?? order.payer
    if (!address) return setTold('Connect a wallet first.')
    setTold('Asking the sandbox…')
    const isFunded = await devtools.fund(chain, address)
    setTold(isFunded ? `Sent to ${address}.` : 'The sandbox sent no test funds.')
  }
  return (
    <section className="section">
      <h3>Test money on {chain}</h3>
      <div className="line">
        <button type="button" className="button" onClick={fund}>
          Get test funds
        </button>
        <output className="quiet">{told}</output>
      </div>
    </section>
  )
}

/** Renders what a developer may do to an order of a sandbox. */
export const ForceTab = (props: Props): ReactElement => {
  const { devtools, order, sandbox } = props
  if (sandbox.status === 'none') {
    return <p className="empty">This service is no sandbox. States can be forced on a sandbox only.</p>
  }
  if (sandbox.status !== 'ready') {
    return (
      <div className="empty">
        <p>{sandbox.status === 'away' ? 'The service does not answer.' : 'Asking the service what it is…'}</p>
        {sandbox.status === 'away' && (
          <p className="section">
            <button type="button" className="button" onClick={devtools.ask}>
              Ask again
            </button>
          </p>
        )}
      </div>
    )
  }
  return (
    <>
      <p>
        {order.canBeForcedTo.length
          ? 'Shows this order in another state. Only this page is changed: nothing is read meanwhile, and a payment always asks the service first.'
          : 'A payment may be under way. States can be forced once it has ended.'}
      </p>
      <div className="section">
        <States devtools={devtools} order={order} />
      </div>
      <Funds {...props} />
    </>
  )
}
