# Projects and their tasks, in the usual style of a Rails service: plain arrays, with links to pages in the field Link.
#
# app.rb FOLDER    The database is FOLDER/rails.sqlite, and is created again; the address is in
#                  FOLDER/rails.address as soon as the app listens.
FOLDER = File.absolute_path(ARGV.fetch(0))
ENV["RAILS_ENV"] = "production"
# One connection: with several, SQLite rejects some writes at once instead of waiting for the others.
ENV["DATABASE_URL"] = "sqlite3:#{FOLDER}/rails.sqlite?pool=1&checkout_timeout=60"

require "logger"
require "rails"
require "action_controller/railtie"
require "active_record/railtie"
require "puma"
require "puma/server"

# Lets a test lose the response to a request that the app has processed: `X-Test-Response: closed` closes the connection
# without a response, `truncated` does so within its body, and `failed` responds 500.
class LostResponses
  def initialize(app)
    @app = app
  end

  def call(env)
    fault = env.delete("HTTP_X_TEST_RESPONSE")
    status, fields, body = @app.call(env)
    return [status, fields, body] unless fault
    text = +""
    body.each { |part| text << part }
    body.close if body.respond_to?(:close)
    if fault == "failed"
      return [500, { "Content-Type" => "application/json" }, ['{"error": "A test has requested a failure."}']]
    end
    connection = env["rack.hijack"].call
    if fault == "truncated"
      text = "{}" if text.strip.empty?
      connection.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n" \
        "Content-Length: #{text.bytesize}\r\n\r\n#{text[0...-1]}")
    end
    connection.close
    [-1, {}, []]
  end
end

class App < Rails::Application
  config.load_defaults 6.1
  config.root = FOLDER
  config.api_only = true
  config.eager_load = false
  config.logger = Logger.new($stdout)
  config.log_level = :warn
  config.secret_key_base = "only-for-tests"
  config.middleware.insert_before 0, LostResponses

  routes.append do
    resources :projects, :tasks, except: [:new, :edit]
    # The rows of one test.
    scope("spaces/:space") { resources :projects, :tasks, except: [:new, :edit], as: :in_space }
    post "_reset", to: ->(_) { make_tables; [204, {}, []] }
  end
end

# Controllers read the routes when they are defined, so the app is initialized first.
App.initialize!

class Row < ActiveRecord::Base
  self.abstract_class = true

  def serializable_hash(options = nil)
    super.except("space")
  end
end

class Project < Row
  has_many :tasks, dependent: :destroy
  validates :name, presence: true, uniqueness: { scope: :space }
end

class Task < Row
  belongs_to :project, optional: true
  validates :title, presence: true
end

# A response that is sent again to the same request.
class StoredResponse < ActiveRecord::Base
end

# Creates the tables again, so that identifiers start at 1.
def make_tables
  ActiveRecord::Schema.verbose = false
  ActiveRecord::Schema.define do
    execute "PRAGMA synchronous = OFF" # Nothing here must survive a crash.
    create_table :projects, force: :cascade do |t|
      t.string :space, null: false, default: ""
      t.string :name, null: false
      t.integer :lock_version, null: false, default: 0
      t.datetime :updated_at, null: false, precision: 6, index: true
      t.index [:space, :name], unique: true
    end
    create_table :tasks, force: :cascade do |t|
      t.string :space, null: false, default: "", index: true
      t.string :title, null: false
      t.boolean :done, null: false, default: false
      t.integer :position, null: false, default: 0
      t.references :project
      t.integer :lock_version, null: false, default: 0
      t.datetime :updated_at, null: false, precision: 6, index: true
    end
    create_table :stored_responses, force: :cascade do |t|
      t.string :key, null: false, index: { unique: true }
      t.string :request, :location, :body
      t.integer :status
    end
  end
end

class ResourceController < ActionController::API
  wrap_parameters format: [:json]
  around_action :respond_once, only: :create

  rescue_from ActiveRecord::StaleObjectError do |error|
    render json: error.record.class.find(error.record.id), status: :conflict
  end

  def index
    rows = all_rows.order(:id)
    if params[:updated_since]
      rows = rows.where(updated_at: Time.iso8601(params[:updated_since])..).reorder(:updated_at, :id)
    end
    render json: page_of(rows)
  end

  def show
    render json: row if stale?(row)
  end

  def create
    created = all_rows.new(fields)
    if created.save
      render json: created, status: :created, location: "#{request.url}/#{created.id}"
    else
      render json: { errors: created.errors }, status: :unprocessable_entity
    end
  end

  def update
    if row.update(fields)
      render json: row
    else
      render json: { errors: row.errors }, status: :unprocessable_entity
    end
  end

  def destroy
    row.destroy!
    head :no_content
  end

  private

  # Repeats the response to a request with the same `Idempotency-Key`, as in draft-ietf-httpapi-idempotency-key-header.
  def respond_once
    key = request.headers["Idempotency-Key"]
    return yield unless key
    text = "#{request.path} #{request.raw_post}"
    if (stored = StoredResponse.find_by(key: key))
      return render json: { error: "another request had this key" }, status: 422 if stored.request != text
      response.set_header("Location", stored.location) if stored.location
      return render json: stored.body, status: stored.status
    end
    ActiveRecord::Base.transaction do
      yield
      StoredResponse.create!(
        key: key, request: text, status: response.status, location: response.location, body: response.body
      )
    end
  end


  def model
    controller_name.classify.constantize
  end

  def all_rows
    params[:space] ? model.where(space: params[:space]) : model.all
  end

  def row
    @row ||= all_rows.find(params[:id])
  end

  def page_of(rows)
    page = [params.fetch(:page, 1).to_i, 1].max
    size = params.fetch(:per_page, 3).to_i.clamp(1, 1000)
    total = rows.count
    last = [(total.to_f / size).ceil, 1].max
    pages = {}
    pages.update(first: 1, prev: page - 1) if page > 1
    pages.update(next: page + 1, last: last) if page < last
    links = pages.map do |name, number|
      query = request.query_parameters.merge(page: number)
      "<#{request.base_url}#{request.path}?#{query.to_query}>; rel=\"#{name}\""
    end
    response.set_header("Link", links.join(", ")) if links.any?
    response.set_header("X-Total-Count", total.to_s)
    rows.offset((page - 1) * size).limit(size)
  end
end

class ProjectsController < ResourceController
  private

  def fields
    params.require(:project).permit(:name, :lock_version)
  end
end

class TasksController < ResourceController
  private

  def all_rows
    params[:project_id] ? super.where(project_id: params[:project_id]) : super
  end

  # A test may set updated_at, because two changes may happen in one millisecond.
  def fields
    params.require(:task)
      .permit(:title, :done, :position, :project_id, :lock_version, :updated_at)
  end
end

make_tables

ActiveRecord::Base.connection_pool.release_connection

server = Puma::Server.new(App)
server.add_tcp_listener("127.0.0.1", 0)
# The file is renamed into place, so that no process reads a part of it.
File.write("#{FOLDER}/rails.draft", "http://127.0.0.1:#{server.connected_ports.first}/\n")
File.rename("#{FOLDER}/rails.draft", "#{FOLDER}/rails.address")
server.run.join
