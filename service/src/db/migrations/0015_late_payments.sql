ALTER TABLE "chain_cursors" ADD COLUMN "late_block" bigint;--> statement-breakpoint
ALTER TABLE "chain_cursors" ADD COLUMN "late_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payment_targets" ADD COLUMN "live_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "payment_targets_live" ON "payment_targets" USING btree ("live_until");