import { useMutation, useQuery } from '@tanstack/react-query'
import { resendMail, resendOrderWebhook } from 'kassa/api'
import type { TimelineEntry } from 'kassa/schema'
import { client, useOnce } from '../api/console.js'
import { endpointQuery } from '../api/developers.js'
import { timelineQuery, useRefresh } from '../api/order.js'
import { useMay } from '../api/session.js'
import { Button } from '../components/Button.js'
import { Card } from '../components/Card.js'
import { Loaded } from '../components/Loaded.js'
import { Reference } from '../components/Reference.js'
import { useToast } from '../components/Toast.js'
import { describeError } from '../lib/describeError.js'
import { formatMoney, formatTime, wordFor } from '../lib/format.js'
import type { Tone } from '../lib/orderStatus.js'
import { t } from '../messages/index.js'

const s = t.timeline

const toneOf = ({ type, status = '' }: TimelineEntry): Tone => {
  if (status === 'failed' || status === 'lost' || status === 'reorganised') return 'bad'
  return type === 'payment' && status === 'confirmed' ? 'good' : 'neutral'
}

/** Returns what happened, in a line. */
const describe = (entry: TimelineEntry): string => {
  const { type, kind = '', status = '', amount, currency, recipient, attempts = 0 } = entry
  const money = amount !== undefined && currency !== undefined ? formatMoney({ amount, currency }) : undefined
  const parts = {
    created: [s.created],
    quote: [s.quote, wordFor(t.quotes, status)],
    payment: [s.payment, money, wordFor(s.states, status)],
    refund: [s.refund, money, wordFor(t.refundStatuses, status)],
    shipment: [s.shipment, wordFor(s.states, status)],
    mail: [wordFor(s.mails, kind), recipient && s.to(recipient), wordFor(s.states, status)],
    webhook: [s.webhook, kind, wordFor(s.states, status), attempts > 1 && s.attempts(attempts)],
  }
  const found = (parts as Record<string, (string | false | undefined)[]>)[type] ?? [type, status]
  return found.filter(Boolean).join(' · ')
}

const Resend = ({ orderId, entry }: { orderId: string; entry: TimelineEntry }) => {
  const say = useToast()
  const refresh = useRefresh(orderId)
  const once = useOnce()
  const { mailId = '', kind = '', recipient = '' } = entry
  const resend = useMutation({
    mutationFn: () => once({}, (idempotencyKey) => resendMail(client, { orderId, mailId, idempotencyKey })),
    onSuccess: async (sent) => {
      say(s.resent(sent.recipient))
      await refresh()
    },
    onError: (error) => say(describeError(error)),
  })
  return (
    <Button
      size="small"
      aria-label={s.resendOf(wordFor(s.mails, kind), recipient)}
      isBusy={resend.isPending}
      onClick={() => resend.mutate()}
    >
      {s.resend}
    </Button>
  )
}

const ResendWebhook = ({ orderId, entry }: { orderId: string; entry: TimelineEntry }) => {
  const say = useToast()
  const refresh = useRefresh(orderId)
  const once = useOnce()
  const { eventId = '', endpointId = '', kind = '' } = entry
  // One event may have gone to several endpoints, each with its button.
  const mayRead = useMay('webhooks.read')
  const endpoint = useQuery({ ...endpointQuery(endpointId), enabled: mayRead && endpointId !== '' }).data?.url
  const resend = useMutation({
    mutationFn: () =>
      once({}, (idempotencyKey) =>
        resendOrderWebhook(client, {
          orderId,
          eventId,
          idempotencyKey,
          body: endpointId ? { endpointId } : {},
        }),
      ),
    onSuccess: async () => {
      say(s.webhookResent(kind))
      await refresh()
    },
    onError: (error) => say(describeError(error)),
  })
  return (
    <Button
      size="small"
      aria-label={s.resendWebhook(kind, endpoint ?? endpointId)}
      isBusy={resend.isPending}
      onClick={() => resend.mutate()}
    >
      {s.resend}
    </Button>
  )
}

/** Nothing comes before the order. A block has whole seconds, and would else stand before the quote that it pays. */
const timeOf = ({ type, at }: TimelineEntry): number =>
  type === 'created' ? 0 : Date.parse(at) + (type === 'payment' ? 999 : 0)

const sortNewest = (entries: TimelineEntry[]): TimelineEntry[] =>
  entries.toSorted((a, b) => timeOf(a) - timeOf(b)).toReversed()

/** What happened to an order, the newest first. */
export const TimelineCard = ({ orderId }: { orderId: string }) => {
  const query = useQuery(timelineQuery(orderId))
  const maySend = useMay('mails.send')
  const mayNotify = useMay('webhooks.send')
  return (
    <Card title={t.order.timeline}>
      <Loaded query={query}>
        {({ data }) => (
          <ol className="timeline" reversed>
            {sortNewest(data).map((entry, index) => (
              <li key={data.length - index} data-tone={toneOf(entry)}>
                <div>
                  <p>{describe(entry)}</p>
                  <p className="soft">
                    <time dateTime={entry.at}>{formatTime(entry.at)}</time>
                    {entry.failure && ` · ${entry.failure}`}
                  </p>
                </div>
                {entry.txId && (
                  <Reference
                    value={entry.txId}
                    what={t.order.transaction}
                    chain={entry.chain}
                    isTransaction
                  />
                )}
                {entry.type === 'mail' && entry.mailId && maySend && (
                  <Resend orderId={orderId} entry={entry} />
                )}
                {entry.type === 'webhook' && entry.eventId && entry.status !== 'pending' && mayNotify && (
                  <ResendWebhook orderId={orderId} entry={entry} />
                )}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Card>
  )
}
