import { Field } from '../../components/Field.js'
import { Select } from '../../components/Select.js'
import { t } from '../../messages/index.js'
import type { CodeFields } from './saleFields.js'

const s = t.sale

type CodeRowProps = {
  code: CodeFields
  /** The currency of the price. */
  currency: string
  onCode(change: Partial<CodeFields>): void
}

/** Renders the fields of a promotion code. */
export const CodeRow = ({ code, currency, onCode }: CodeRowProps) => (
  <div className="fields">
    <Field label={s.codeText} value={code.code} onValue={(text) => onCode({ code: text })} />
    <Field label={s.off} inputMode="decimal" value={code.off} onValue={(off) => onCode({ off })} />
    <Select
      label={s.unit}
      value={code.unit}
      options={[
        ['percent', s.percent],
        ['amount', currency],
      ]}
      onValue={(unit) => onCode({ unit: unit as CodeFields['unit'] })}
    />
    <Field label={s.uses} inputMode="numeric" value={code.limit} onValue={(limit) => onCode({ limit })} />
    <Field
      label={s.codeEnds}
      type="datetime-local"
      value={code.expiresAt}
      onValue={(expiresAt) => onCode({ expiresAt })}
    />
  </div>
)
