import { Field, OptionalField, TextArea } from '../../components/Field.js'
import { Select } from '../../components/Select.js'
import { t } from '../../messages/index.js'
import { type Audience, audiences, nameField, type PhaseFields } from './saleFields.js'

const s = t.sale

type PhaseRowProps = {
  phase: PhaseFields
  isFirst: boolean
  onPhase(change: Partial<PhaseFields>): void
}

/** Renders the fields of a phase. */
export const PhaseRow = ({ phase, isFirst, onPhase }: PhaseRowProps) => {
  const { audience, storedCount } = phase
  const nameOf = (field: string) => nameField('phase', phase.key, field)
  return (
    <>
      <div className="fields">
        <Field
          label={s.name}
          name={nameOf('name')}
          value={phase.name}
          onValue={(name) => onPhase({ name })}
        />
        {isFirst ? (
          <OptionalField
            label={s.phaseStarts}
            name={nameOf('startsAt')}
            none={s.noStart}
            type="datetime-local"
            value={phase.startsAt}
            onValue={(startsAt) => onPhase({ startsAt })}
          />
        ) : (
          <Field
            label={s.phaseStarts}
            name={nameOf('startsAt')}
            type="datetime-local"
            value={phase.startsAt ?? ''}
            onValue={(startsAt) => onPhase({ startsAt })}
          />
        )}
        <OptionalField
          label={s.maxTokens}
          name={nameOf('maxTokens')}
          none={t.noLimit}
          inputMode="numeric"
          value={phase.maxTokens}
          onValue={(maxTokens) => onPhase({ maxTokens })}
        />
        <Select
          label={s.audience}
          value={audience}
          options={audiences.map((each) => [each, s.audiences[each]])}
          onValue={(chosen) => onPhase({ audience: chosen as Audience })}
        />
      </div>
      {audience === 'wallets' && (
        <TextArea
          label={s.addresses}
          name={nameOf('addresses')}
          hint={storedCount ? s.addressesStored(storedCount) : s.addressesText}
          spellCheck={false}
          value={phase.addresses}
          onValue={(addresses) => onPhase({ addresses })}
        />
      )}
      {audience === 'tree' && (
        <Field
          label={s.merkleRoot}
          name={nameOf('merkleRoot')}
          hint={s.merkleRootText}
          spellCheck={false}
          value={phase.merkleRoot}
          onValue={(merkleRoot) => onPhase({ merkleRoot })}
        />
      )}
    </>
  )
}
