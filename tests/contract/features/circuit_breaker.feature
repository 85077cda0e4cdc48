Feature: Circuit Breaker for Embeddings

  Scenario: Circuit opens after failures
    Given 5 consecutive embedding failures
    When the next query arrives
    Then the circuit breaker state of "embeddings" is "open"
    And no embedding request is attempted
    And the query uses BM25-only search
    And embedding_fallback_total increments

  Scenario: Circuit enters half-open after timeout
    Given circuit is open
    And 30 seconds have passed
    When the next query arrives
    Then the circuit breaker state of "embeddings" is "half_open"
    And one embedding request is attempted

  Scenario: Circuit closes after recovery
    Given circuit is half-open
    And 2 consecutive embedding successes
    Then the circuit breaker state of "embeddings" is "closed"
    And normal hybrid search resumes

  Scenario: Structured response during fallback
    Given circuit is open
    When a query returns results
    Then the response includes fallback_mode: true
    And confidence scores are reduced by 20%
