CREATE TABLE "payment_links" (
	"id" text PRIMARY KEY NOT NULL,
	"project_id" uuid NOT NULL,
	"title" text,
	"line_items" jsonb NOT NULL,
	"max_quantity" integer,
	"payment" jsonb,
	"max_uses" integer,
	"expires_at" timestamp (3) with time zone,
	"success_url" text,
	"deactivated_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "payment_link_id" text;--> statement-breakpoint
ALTER TABLE "payment_links" ADD CONSTRAINT "payment_links_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_links_project" ON "payment_links" USING btree ("project_id","created_at");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_payment_link_id_payment_links_id_fk" FOREIGN KEY ("payment_link_id") REFERENCES "public"."payment_links"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "orders_payment_link" ON "orders" USING btree ("payment_link_id") WHERE payment_link_id is not null;