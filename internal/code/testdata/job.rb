# frozen_string_literal: true
=begin
def not_this
end
=end

# A job.
module Work
  class Job < Base
    include Comparable
    LIMIT = 3

    Result = Struct.new(:ok, :value) do
      def to_s
        "#{ok} end"
      end
    end

    class << self
      def create(*args, &block)
        new(*args).tap { |j| j.run if block }
      end
    end

    def initialize(name:, opts: {})
      @name = name
      @text = <<~SQL
        def not_this
          select "end"
        end
      SQL
    end

    # Runs it.
    def run
      return if done?
      items.each do |i|
        next unless i
        puts i if i > 1
      end
      while true do break end
      x = if a then b else c end
    rescue Error => e
      raise e
    ensure
      close
    end

    def done? = @done

    def name=(value)
      @name = value
    end

    def <=>(other)
      name <=> other.name
    end

    def empty; end

    private def secret(
      a,
      b
    )
      a << b
    end
  end

  class Work::Error < StandardError; end

  def self.start(path)
    puts <<-A + <<-B
      def no
    A
      end
    B
  end
end

def top
  %w[
    end
  ]
end

__END__
def data
end
