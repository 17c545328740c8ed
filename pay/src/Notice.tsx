import type { OpenedLink } from './link.js'
import type { Messages } from './messages/index.js'

const sentences = {
  missing: 'missing',
  deactivated: 'deactivated',
  ended: 'ended',
  'used-up': 'usedUp',
} as const satisfies Record<Exclude<OpenedLink['status'], 'active'> | 'missing', keyof Messages>

type NoticeProps = { status: keyof typeof sentences; messages: Messages }

/** Says why a link sells nothing. */
export const Notice = ({ status, messages }: NoticeProps) => (
  <div className="card notice">
    <p className="lead">{messages[sentences[status]]}</p>
    <p className="soft">{messages.askShop}</p>
  </div>
)
