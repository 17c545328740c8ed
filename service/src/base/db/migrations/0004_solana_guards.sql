ALTER TABLE "solana_transactions" ADD COLUMN "guard" text;--> statement-breakpoint
ALTER TABLE "solana_transactions" ADD COLUMN "guard_signed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "solana_transactions" ADD COLUMN "guard_closed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "solana_transactions_guards" ON "solana_transactions" USING btree ("chain","guard_signed_at") WHERE status = 'succeeded' and guard is not null and guard_closed_at is null;