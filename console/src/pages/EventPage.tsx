import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { resendWebhook } from 'kassa/api'
import type { WebhookAttempt, WebhookDelivery } from 'kassa/schema'
import { client, useOnce } from '../api/console.js'
import { deliveryQuery, useReadAgain } from '../api/developers.js'
import { useMay } from '../api/session.js'
import { Badge } from '../components/Badge.js'
import { Button } from '../components/Button.js'
import { Card } from '../components/Card.js'
import { Facts } from '../components/Facts.js'
import { Icon } from '../components/Icon.js'
import { Loaded } from '../components/Loaded.js'
import { Page } from '../components/Page.js'
import { Reference } from '../components/Reference.js'
import { useToast } from '../components/Toast.js'
import { DeliveryStatus } from '../developers/DeliveriesCard.js'
import { describeError } from '../lib/describeError.js'
import { formatTime } from '../lib/format.js'
import { t } from '../messages/index.js'
import { Allowed } from '../shell/Allowed.js'

const s = t.webhooks

const Attempt = ({ attempt }: { attempt: WebhookAttempt }) => (
  <li>
    <div>
      <p className="strong">{formatTime(attempt.at)}</p>
      <p className="soft">{attempt.failure ?? s.arrived}</p>
    </div>
    <div className="row-actions">
      <span className="soft figures">{s.duration(attempt.durationMs)}</span>
      <Badge tone={attempt.failure ? 'bad' : 'good'}>
        {attempt.status ? `${attempt.status}` : s.noAnswer}
      </Badge>
    </div>
  </li>
)

const Attempts = ({ delivery: { attempts = [] } }: { delivery: WebhookDelivery }) => (
  <Card title={s.attemptsTitle}>
    {attempts.length ? (
      <ol className="rows">
        {attempts.map((attempt) => (
          <Attempt key={attempt.at} attempt={attempt} />
        ))}
      </ol>
    ) : (
      <p className="quiet">{s.noAttempts}</p>
    )}
  </Card>
)

/** Indents the body for reading; one that is not JSON stays as it is. */
const indent = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const Resend = ({ delivery: { endpointId, eventId } }: { delivery: WebhookDelivery }) => {
  const say = useToast()
  const readAgain = useReadAgain()
  const once = useOnce()
  const resend = useMutation({
    mutationFn: () =>
      once({}, (idempotencyKey) => resendWebhook(client, { endpointId, eventId, idempotencyKey })),
    onSuccess: async () => {
      say(s.resent)
      await readAgain('endpoint', endpointId)
    },
    onError: (error) => say(describeError(error)),
  })
  return (
    <Button kind="primary" isBusy={resend.isPending} onClick={() => resend.mutate()}>
      {s.resend}
    </Button>
  )
}

const route = getRouteApi('/shell/developers/webhooks/$endpointId/events/$eventId')

/** An event that was sent to a webhook endpoint: its attempts and its body. */
export const EventPage = () => {
  const { endpointId, eventId } = route.useParams()
  const query = useQuery(deliveryQuery(endpointId, eventId))
  const mayManage = useMay('webhooks.manage')
  const delivery = query.data
  const crumb = (
    <Link to="/developers/webhooks/$endpointId" params={{ endpointId }} className="crumb">
      <Icon name="left" />
      {s.endpoint}
    </Link>
  )
  return (
    <Allowed scope="webhooks.read">
      <Page
        title={delivery?.type ?? s.event}
        crumb={crumb}
        mark={delivery && <DeliveryStatus delivery={delivery} />}
        actions={delivery && mayManage && <Resend delivery={delivery} />}
      >
        <Loaded query={query}>
          {(known) => (
            <div className="columns">
              <div className="column">
                <Attempts delivery={known} />
                <Card title={s.body}>
                  {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
                  <pre className="json" tabIndex={0}>
                    {indent(known.body ?? '')}
                  </pre>
                </Card>
              </div>
              <div className="column">
                <Card title={s.event}>
                  <div className="card-body">
                    <Facts
                      isStacked
                      of={[
                        [s.eventId, <Reference key="id" value={known.eventId} what={s.eventId} />],
                        [s.at, formatTime(known.createdAt)],
                        [s.nextAttempt, known.nextAttemptAt && formatTime(known.nextAttemptAt)],
                      ]}
                    />
                  </div>
                </Card>
              </div>
            </div>
          )}
        </Loaded>
      </Page>
    </Allowed>
  )
}
