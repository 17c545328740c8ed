ALTER TABLE "collections" ADD COLUMN "reserved_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "reserved_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_unfinished" ON "orders" USING btree ("phase") WHERE phase in ('delivery', 'payment');