CREATE INDEX "orders_expiring" ON "orders" USING btree ("chain","quote_expires_at") WHERE phase = 'payment';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_updated" ON "webhook_deliveries" USING btree ("updated_at");--> statement-breakpoint
ALTER TABLE "rate_limits" SET UNLOGGED;