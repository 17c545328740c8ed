import { Field, OptionalField } from '../../components/Field.js'
import { Select } from '../../components/Select.js'
import { t } from '../../messages/index.js'
import { type CodeFields, nameField } from './saleFields.js'

const s = t.sale

type CodeRowProps = {
  code: CodeFields
  /** The currency of the price. */
  currency: string
  onCode(change: Partial<CodeFields>): void
}

/** Renders the fields of a promotion code. */
export const CodeRow = ({ code, currency, onCode }: CodeRowProps) => {
  const nameOf = (field: string) => nameField('code', code.key, field)
  return (
    <div className="fields">
      <Field
        label={s.codeText}
        name={nameOf('code')}
        value={code.code}
        onValue={(text) => onCode({ code: text })}
      />
      <Field
        label={s.off}
        name={nameOf('off')}
        inputMode="decimal"
        value={code.off}
        onValue={(off) => onCode({ off })}
      />
      <Select
        label={s.unit}
        value={code.unit}
        options={[
          ['percent', s.percent],
          ['amount', currency],
        ]}
        onValue={(unit) => onCode({ unit: unit as CodeFields['unit'] })}
      />
      <OptionalField
        label={s.uses}
        name={nameOf('limit')}
        none={t.noLimit}
        inputMode="numeric"
        value={code.limit}
        onValue={(limit) => onCode({ limit })}
      />
      <OptionalField
        label={s.codeEnds}
        name={nameOf('expiresAt')}
        none={s.noEnd}
        type="datetime-local"
        value={code.expiresAt}
        onValue={(expiresAt) => onCode({ expiresAt })}
      />
    </div>
  )
}
