import { useQuery } from '@tanstack/react-query'
import { Checkout, type OrderSession, useOrder, useOrderSession } from 'kassa'
import { loadMessages } from 'kassa/locales'
import { linkId, type OpenedLink } from './link.js'
import { locale, type Messages } from './messages/index.js'
import { Notice } from './Notice.js'
import { Start } from './Start.js'

type ChildProps = { link: OpenedLink; messages: Messages }

type ChargeProps = { session: OrderSession; messages: Messages; onNext(): void }

const Next = ({ messages, onNext }: Omit<ChargeProps, 'session'>) => (
  <button type="button" className="button" data-kind="plain" onClick={onNext}>
    {messages.nextCustomer}
  </button>
)

const Paid = ({ session, messages, onNext }: ChargeProps) => (
  <Checkout.Root {...session} className="card till paid" aria-label={messages.paid}>
    <svg className="check" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4.5 12.5l5 5 10-11" fill="none" stroke="currentColor" strokeWidth="2.5" />
    </svg>
    <p className="paid-word" role="status">
      {messages.paid}
    </p>
    <Checkout.Total className="amount" />
    <Checkout.Status />
    <button type="button" className="button" onClick={onNext}>
      {messages.nextCustomer}
    </button>
  </Checkout.Root>
)

const Charge = ({ session, messages, onNext }: ChargeProps) => {
  const { data: order } = useOrder(session)
  const parts = useQuery({ queryKey: ['parts'], queryFn: () => loadMessages(locale), staleTime: Infinity })
  const isChangeable = order?.phase === 'payment' && order.payment.status === 'requires-crypto-payer-address'
  const isPaid = order?.phase === 'delivery' || order?.phase === 'completed'
  if (isPaid) return <Paid session={session} messages={messages} onNext={onNext} />
  return (
    <Checkout.Root {...session} className="card till" aria-label={messages.scanToPay}>
      <Checkout.Items>
        <Checkout.Item>
          <Checkout.ItemName /> <Checkout.ItemQuantity />
        </Checkout.Item>
      </Checkout.Items>
      <Checkout.Total className="amount" />
      <p>
        <Checkout.Status
          render={(props, { stage }) =>
            // The customer's wallet is on another device.
            stage === 'needs-payer' ? <output {...props}>{messages.scanToPay}</output> : <output {...props} />
          }
        />{' '}
        <Checkout.Expiry />
      </p>
      <Checkout.RecipientForm />
      <Checkout.EmailForm />
      <Checkout.AddressForm />
      <Checkout.Transfer />
      {isChangeable && (
        // biome-ignore lint/a11y/noLabelWithoutControl: the part renders one.
        <label className="field">
          {parts.data?.payWith} <Checkout.PaymentMethod />
        </label>
      )}
      <Checkout.Error />
      <Next messages={messages} onNext={onNext} />
    </Checkout.Root>
  )
}

/** The page of a link on a shop's counter: the seller begins an order, and the customer scans a code to pay it. */
export const Till = ({ link, messages }: ChildProps) => {
  const [session, setSession] = useOrderSession({ storage: 'local', key: `kassa.till.${linkId}` })
  if (session) {
    return (
      <Charge
        key={session.orderId}
        session={session}
        messages={messages}
        onNext={() => setSession(undefined)}
      />
    )
  }
  if (link.status !== 'active') return <Notice status={link.status} messages={messages} />
  return <Start link={link} messages={messages} onOrder={setSession} />
}
