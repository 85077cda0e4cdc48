Feature: SKOSMOS-First Terminology Verification

  Scenario: SKOSMOS match exists
    Given a terminology query "What is CIMXML?"
    And SKOSMOS contains the concept "CIMXML"
    When the system processes the query
    Then the response MUST use the SKOSMOS definition
    And the response MUST cite SKOSMOS in sources
    And skosmos_hit_total MUST increment

  Scenario: SKOSMOS returns nothing
    Given a terminology query "What is FooBarBaz?"
    And SKOSMOS does not contain "FooBarBaz"
    When the system processes the query
    Then the system MUST abstain OR ask clarifying question
    And the system MUST NOT invent a definition
    And skosmos_miss_total MUST increment
    And rag_abstention_total with reason "terminology_not_found" MUST increment

  Scenario: SKOSMOS timeout
    Given a terminology query "What is CIMXML?"
    And SKOSMOS is slow (>500ms)
    When the system processes the query
    Then the response MUST indicate inability to verify
    And the system MUST NOT invent a definition
    And skosmos_timeout_total MUST increment

  Scenario: Ambiguous term
    Given a terminology query "What is CIM?"
    And SKOSMOS contains multiple CIM concepts
    When the system processes the query
    Then the system SHOULD ask for clarification
    And the system SHOULD list all matching concepts
