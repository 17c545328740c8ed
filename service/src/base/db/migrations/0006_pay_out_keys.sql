ALTER TABLE "refunds" ADD COLUMN "pay_out_key" text;--> statement-breakpoint
CREATE INDEX "refunds_pay_out" ON "refunds" USING btree (coalesce("pay_out_key", "id"));